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
 * Finds the file that a path names below a root. Only regular files are found: directories lead to their index, and what else
 * there is (pipes, devices, sockets), hidden names and links that lead out of the root are treated as not there.
 *
 * <p>Immutable; any thread. Looks at the file system on the calling thread, and may block as long as that does.
 */
final class FileFinder {
    /** What there is at a path. */
    sealed interface Lookup permits Found, Refused, Directory {}

    /**
     * A regular file.
     *
     * @param file its real path, that is without links
     * @param attributes of that file
     * @param coding of its content; empty for none
     * @param varies whether another {@code Accept-Encoding} could get another file
     * @param name that the {@code Content-Type} is by
     * @param modifiedSecond of the file that was asked for, if this is another coding of it
     */
    record Found(
            Path file, BasicFileAttributes attributes, String coding, boolean varies, String name, long modifiedSecond)
            implements Lookup {}

    record Refused(HttpResponseStatus status) implements Lookup {}

    /** A directory with an index, whose path lacks the slash at its end. */
    record Directory() implements Lookup {}

    private static final Refused BAD_REQUEST = new Refused(HttpResponseStatus.BAD_REQUEST);
    private static final Refused FORBIDDEN = new Refused(HttpResponseStatus.FORBIDDEN);
    private static final Refused NOT_FOUND = new Refused(HttpResponseStatus.NOT_FOUND);
    private static final Directory DIRECTORY = new Directory();

    /** Codings of files beside others, the smallest first, each with the extension of its file's name. */
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

    /** @throws IOException only if the file system fails; whatever a client can cause is a {@link Refused} */
    Lookup find(RequestPath path, AcceptedCodings accepted) throws IOException {
        if (path.verdict != RequestPath.Verdict.ACCEPTED) {
            return path.verdict == RequestPath.Verdict.MALFORMED ? BAD_REQUEST : NOT_FOUND;
        }
        if (path.isHidden() && !hiddenFiles) {
            return NOT_FOUND;
        }
        try {
            // In one step: a step for each name would copy a long path as often as it has names.
            return find(path, root.resolve(String.join("/", path.names)), accepted);
        } catch (AccessDeniedException e) {
            return FORBIDDEN;
        } catch (FileSystemException | InvalidPathException e) {
            return NOT_FOUND; // it, or a parent, is not there or no directory, is too long, or cannot be a name here
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

    /** The real path, or null if that is outside the root. */
    private Path within(Path path) throws IOException {
        Path real = path.toRealPath();
        return real.startsWith(root) ? real : null;
    }

    /** The real path, or null if there is no regular file within the root. */
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
                continue; // of an older version
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
