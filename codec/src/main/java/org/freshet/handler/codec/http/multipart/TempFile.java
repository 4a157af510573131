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
 * A file readable by its owner only, and deleted together with the object it was created for: explicitly, when that
 * object is garbage collected, or when the JVM exits. Thread-safe.
 */
final class TempFile implements Runnable {
    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(TempFile.class);
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Set<PosixFilePermission> OWNER_ALONE =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /** The files for the single shutdown hook to delete. */
    private static final class AtExit {
        static final Set<Path> FILES = ConcurrentHashMap.newKeySet();

        static {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(AtExit::deleteAll, "freshet-upload-files"));
            } catch (IllegalStateException exiting) {
                LOGGER.debug("the JVM is exiting: files created now are only deleted explicitly or with their owners");
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
     * @param owner the object whose garbage collection deletes the file
     * @param directory null for the default directory for temporary files
     * @param untilExit whether the file is deleted with its owner and when the JVM exits; otherwise only an explicit
     *     call does
     * @throws IOException if the file cannot be created, or others could read it
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

    /** Runs a task when the object is garbage. The task must not refer to the object. */
    static void whenGarbage(Object object, Runnable task) {
        CLEANER.register(object, task);
    }

    private static FileAttribute<?>[] permissions(FileSystem system) {
        return isPosix(system)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ALONE)}
                : new FileAttribute<?>[0];
    }

    /**
     * Some file systems accept permissions but don't apply them. Without POSIX permissions, the directory's access
     * rules apply.
     */
    private static void checkOwnerAlone(Path path) throws IOException {
        if (isPosix(path.getFileSystem()) && !OWNER_ALONE.containsAll(Files.getPosixFilePermissions(path))) {
            throw new IOException(
                    "users other than its owner could read " + path + ": use a directory on another file system");
        }
    }

    private static boolean isPosix(FileSystem system) {
        return system.supportedFileAttributeViews().contains("posix");
    }

    Path path() {
        return path;
    }

    /** Deletes the file, if it still exists. */
    void delete() {
        keepFromCollector();
        delete(path);
    }

    /** Makes the file permanent. */
    void release() {
        keepFromCollector();
        AtExit.FILES.remove(path);
    }

    /** From now on, only an explicit call or the JVM's exit deletes the file. */
    void keepFromCollector() {
        collectable = false;
        if (garbage != null) {
            garbage.clean(); // unregisters the file
        }
    }

    /** Called when the owner is garbage. */
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
            LOGGER.warn("could not delete the temporary file " + path + ": delete it if it outlives the JVM", e);
        }
    }
}
