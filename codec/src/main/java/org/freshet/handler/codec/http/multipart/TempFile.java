package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A file that only its owner can read, and that is deleted with the object that it was made for: explicitly, when that
 * object is garbage, or when the JVM exits. Any thread.
 */
final class TempFile implements Runnable {
    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(TempFile.class);
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Set<PosixFilePermission> OWNER_ALONE =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /** What the one shutdown hook has to delete. */
    private static final class AtExit {
        static final Set<Path> FILES = ConcurrentHashMap.newKeySet();

        static {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(AtExit::deleteAll, "freshet-upload-files"));
            } catch (IllegalStateException exiting) {
                LOGGER.debug("the JVM exits; files that are made now are deleted by their owners alone");
            }
        }

        private static void deleteAll() {
            FILES.forEach(TempFile::delete);
        }
    }

    private final Path path;
    private Cleaner.Cleanable garbage;
    private volatile boolean collectable = true;

    private TempFile(Path path) {
        this.path = path;
    }

    /**
     * @param owner the object with which the file is to go
     * @param directory null for the directory of temporary files
     * @param untilExit whether the file is to go with its owner and the JVM; else only an explicit call deletes it
     * @throws IOException if the file cannot be made, or others could read it
     */
    static TempFile create(Object owner, Path directory, String prefix, String suffix, boolean untilExit)
            throws IOException {
        Path path = directory == null
                ? Files.createTempFile(prefix, suffix, permissions(Path.of("").getFileSystem()))
                : Files.createTempFile(directory, prefix, suffix, permissions(directory.getFileSystem()));
        TempFile file = new TempFile(path);
        try {
            checkOwnerAlone(path);
            if (untilExit) {
                AtExit.FILES.add(path);
                file.garbage = CLEANER.register(owner, file);
            }
        } catch (IOException | RuntimeException | Error failure) {
            file.delete();
            throw failure;
        }
        return file;
    }

    /** Runs a task, which must not refer to the object, when that is garbage. */
    static void whenGarbage(Object object, Runnable task) {
        CLEANER.register(object, task);
    }

    private static FileAttribute<?>[] permissions(FileSystem system) {
        return isPosix(system)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ALONE)}
                : new FileAttribute<?>[0];
    }

    /** Some file systems take permissions and have none. Where there are no such permissions, those of the folder hold. */
    private static void checkOwnerAlone(Path path) throws IOException {
        if (isPosix(path.getFileSystem()) && !OWNER_ALONE.containsAll(Files.getPosixFilePermissions(path))) {
            throw new IOException(
                    "others than its owner could read " + path + "; use a directory of another file system");
        }
    }

    private static boolean isPosix(FileSystem system) {
        return system.supportedFileAttributeViews().contains("posix");
    }

    Path path() {
        return path;
    }

    /** Deletes the file, if it is still there. */
    void delete() {
        keepFromCollector();
        delete(path);
    }

    /** The file is not temporary any more. */
    void release() {
        keepFromCollector();
        AtExit.FILES.remove(path);
    }

    /** Only an explicit call and the JVM's exit delete the file from now on. */
    void keepFromCollector() {
        collectable = false;
        if (garbage != null) {
            garbage.clean(); // unregisters it
        }
    }

    /** The owner is garbage. */
    @Override
    public void run() {
        if (collectable) {
            delete(path);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
            AtExit.FILES.remove(path);
        } catch (IOException e) {
            LOGGER.warn("could not delete " + path + "; it is tried again when the JVM exits", e);
        }
    }
}
