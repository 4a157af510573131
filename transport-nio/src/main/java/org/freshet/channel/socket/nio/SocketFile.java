package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The file of a bound Unix domain socket. The bind creates it, and replaces one left behind by a dead process. The
 * channel deletes it when it closes, unless another process has replaced it in the meantime.
 *
 * <p>Immutable; used on the loop that owns the socket.
 */
final class SocketFile {
    /** Binds a socket to an address. */
    @FunctionalInterface
    interface Binding {
        void bind(SocketAddress address) throws IOException;
    }

    /** Distinguishes a file from a later one at the same path, which may get the same inode. */
    private record Identity(Object key, FileTime made) {
        /** Returns null if there is no socket at the path. */
        static Identity of(Path path) {
            try {
                BasicFileAttributes file =
                        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                return file.isOther() && isSocket(path) ? new Identity(file.fileKey(), file.lastModifiedTime()) : null;
            } catch (IOException missing) {
                return null;
            }
        }
    }

    // constants of Unix file modes
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SocketFile.class);

    private final Path path;
    private final Identity identity;

    private SocketFile(Path path) {
        this.path = path;
        identity = Identity.of(path);
    }

    /**
     * Binds a socket, replacing a stale file if there is one.
     *
     * @return null if the address has no path, and so no file
     * @throws SocketException if the address cannot be bound; its message names the path
     * @throws IllegalArgumentException if it is another kind of address
     */
    static SocketFile bind(SocketAddress address, Binding socket) throws IOException {
        if (!(address instanceof UnixDomainSocketAddress unix)) {
            throw new IllegalArgumentException("not a UnixDomainSocketAddress: " + address);
        }
        try {
            bindFresh(unix.getPath(), unix, socket);
        } catch (BindException e) {
            throw named(new BindException(e.getMessage() + ": " + unix), e);
        } catch (SocketException e) {
            throw named(new SocketException(e.getMessage() + ": " + unix), e);
        }
        return unix.getPath().toString().isEmpty() ? null : new SocketFile(unix.getPath());
    }

    private static void bindFresh(Path path, SocketAddress address, Binding socket) throws IOException {
        try {
            socket.bind(address);
        } catch (BindException e) {
            if (!deleteStale(path)) {
                throw e;
            }
            logger.info("replaced the stale socket file of a dead process: " + path);
            socket.bind(address);
        }
    }

    private static SocketException named(SocketException named, SocketException cause) {
        named.initCause(cause);
        return named;
    }

    /**
     * Pipes and devices are {@code isOther()} too, and refuse a connect like a stale socket. On Windows only sockets
     * are.
     */
    private static boolean isSocket(Path path) throws IOException {
        return !path.getFileSystem().supportedFileAttributeViews().contains("unix")
                || ((Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & FILE_TYPE) == SOCKET;
    }

    /** Deletes a socket file if no process listens on it. Returns whether it did. */
    private static boolean deleteStale(Path path) throws IOException {
        Identity found = Identity.of(path);
        return found != null
                && refusesConnections(path)
                && found.equals(Identity.of(path))
                && Files.deleteIfExists(path);
    }

    /** Non-blocking, because a server with a full backlog would make a blocking connect wait. */
    private static boolean refusesConnections(Path path) {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(path));
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException inUse) {
            return false;
        }
    }

    /** Throws no exception: a file that cannot be deleted is stale, and the next bind replaces it. */
    void delete() {
        try {
            if (identity != null && identity.equals(Identity.of(path))) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | RuntimeException e) {
            logger.warn("could not delete the socket file; the next bind will replace it: " + path, e);
        }
    }
}
