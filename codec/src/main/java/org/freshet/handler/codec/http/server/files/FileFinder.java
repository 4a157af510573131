package org.freshet.handler.codec.http.server.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.internal.AcceptedCodings;

/**
 * Finds the file that a path names below a root. Only regular files are found. A directory is resolved to its index
 * file. Everything else counts as missing: pipes, devices, sockets, hidden names, and links that lead out of the root.
 *
 * <p>Immutable; any thread may use it. Accesses the file system on the calling thread, and blocks as long as that does.
 */
final class FileFinder {
    /** The result for a path. */
    sealed interface Lookup permits Found, Refused, Directory {}

    /**
     * A regular file.
     *
     * @param file its real path, without links
     * @param attributes the attributes of that file
     * @param coding its content coding; empty for none
     * @param varies whether another {@code Accept-Encoding} could get another file
     * @param name the name that determines the {@code Content-Type}
     * @param modifiedSecond modification time of the requested file, even if this is another coding of it; in seconds
     *     since the epoch
     */
    record Found(
            Path file, BasicFileAttributes attributes, String coding, boolean varies, String name, long modifiedSecond)
            implements Lookup {}

    record Refused(HttpResponseStatus status) implements Lookup {}

    /** A directory with an index, requested without the trailing slash. */
    record Directory() implements Lookup {}

    private static final Refused BAD_REQUEST = new Refused(HttpResponseStatus.BAD_REQUEST);
    private static final Refused FORBIDDEN = new Refused(HttpResponseStatus.FORBIDDEN);
    private static final Refused NOT_FOUND = new Refused(HttpResponseStatus.NOT_FOUND);
    private static final Directory DIRECTORY = new Directory();

    /** Content codings of precompressed files, smallest first, each with the extension added to the file's name. */
    private static final String[][] SIBLINGS = {{"br", ".br"}, {"gzip", ".gz"}};

    private final Path root;
    private final List<String> indexes;
    private final boolean hiddenFiles;
    private final boolean precompressed;

    /** @param root a real path */
    FileFinder(Path root, List<String> indexes, boolean hiddenFiles, boolean precompressed) {
        this.root = root;
        this.indexes = indexes;
        this.hiddenFiles = hiddenFiles;
        this.precompressed = precompressed;
    }

    Path root() {
        return root;
    }

    /** @throws IOException only if the file system fails; anything a client can cause is a {@link Refused} */
    Lookup find(RequestPath path, AcceptedCodings accepted) throws IOException {
        if (path.verdict != RequestPath.Verdict.ACCEPTED) {
            return path.verdict == RequestPath.Verdict.MALFORMED ? BAD_REQUEST : NOT_FOUND;
        }
        if (path.isHidden() && !hiddenFiles) {
            return NOT_FOUND;
        }
        try {
            // In one step: resolving name by name would copy a long path once per name.
            return find(path, root.resolve(String.join("/", path.names)), accepted);
        } catch (AccessDeniedException e) {
            return FORBIDDEN;
        } catch (FileSystemException | InvalidPathException e) {
            return NOT_FOUND; // the file or a parent is missing, not a directory, too long, or not a valid name here
        }
    }

    private Lookup find(RequestPath path, Path requested, AcceptedCodings accepted) throws IOException {
        Path real = within(requested);
        if (real == null) {
            return NOT_FOUND;
        }
        BasicFileAttributes attributes = attributes(real);
        if (!attributes.isDirectory()) {
            return path.ofDirectory || !attributes.isRegularFile()
                    ? NOT_FOUND
                    : choose(requested, real, attributes, accepted);
        }
        for (String index : indexes) {
            Path candidate = requested.resolve(index);
            Path realIndex = regularWithin(candidate);
            if (realIndex != null) {
                return path.ofDirectory ? choose(candidate, realIndex, attributes(realIndex), accepted) : DIRECTORY;
            }
        }
        return NOT_FOUND;
    }

    /** The real path, or null if it is outside the root. */
    private Path within(Path path) throws IOException {
        Path real = path.toRealPath();
        return real.startsWith(root) ? real : null;
    }

    /** The real path, or null if it is not a regular file inside the root. */
    private Path regularWithin(Path path) throws IOException {
        try {
            Path real = within(path);
            return real != null && attributes(real).isRegularFile() ? real : null;
        } catch (FileSystemException e) {
            return null;
        }
    }

    static BasicFileAttributes attributes(Path real) throws IOException {
        return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private Found choose(Path requested, Path real, BasicFileAttributes attributes, AcceptedCodings accepted)
            throws IOException {
        String name = requested.getFileName().toString();
        long modifiedSecond = modifiedSecond(attributes);
        Found chosen = new Found(real, attributes, "", false, name, modifiedSecond);
        if (!precompressed) {
            return chosen;
        }
        double bestQuality = 0;
        boolean varies = false;
        for (String[] sibling : SIBLINGS) {
            Path encoded = regularWithin(requested.resolveSibling(name + sibling[1]));
            BasicFileAttributes ofEncoded = encoded == null ? null : attributes(encoded);
            if (ofEncoded == null || modifiedSecond(ofEncoded) < modifiedSecond) {
                continue; // compressed from an older version
            }
            varies = true;
            if (accepted.prefers(sibling[0]) && accepted.quality(sibling[0]) > bestQuality) {
                bestQuality = accepted.quality(sibling[0]);
                chosen = new Found(encoded, ofEncoded, sibling[0], true, name, modifiedSecond);
            }
        }
        return chosen.varies || !varies ? chosen : new Found(real, attributes, "", true, name, modifiedSecond);
    }

    private static long modifiedSecond(BasicFileAttributes attributes) {
        return Math.floorDiv(attributes.lastModifiedTime().toMillis(), TimeUnit.SECONDS.toMillis(1));
    }
}
