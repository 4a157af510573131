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
 * The file of a bound Unix domain socket. The bind makes it, and replaces one that a dead process left behind; the channel deletes it
 * after the close, unless another process has replaced it since.
 *
 * <p>Immutable; used on the loop that owns the socket.
 */
final class SocketFile {
    /** Binds a socket to an address. */
    @FunctionalInterface
    interface Binding {
        void bind(SocketAddress address) throws IOException;
    }

    /** Tells a file from a later one at the same path, which may get the same inode. */
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

    // of Unix file modes
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
     * Binds a socket, in place of a stale file if there is one.
     *
     * @return null if the address has no path, so that there is no file
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
            logger.info("replaced the socket file of a process that is gone: " + path);
            socket.bind(address);
        }
    }

    private static SocketException named(SocketException named, SocketException cause) {
        named.initCause(cause);
        return named;
    }

    /** Pipes and devices are {@code isOther()}, too, and refuse a connect as a stale socket does. Windows has sockets only. */
    private static boolean isSocket(Path path) throws IOException {
        return !path.getFileSystem().supportedFileAttributeViews().contains("unix")
                || ((Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & FILE_TYPE) == SOCKET;
    }

    /** Deletes a socket file if no process listens there, and says whether it did. */
    private static boolean deleteStale(Path path) throws IOException {
        Identity found = Identity.of(path);
        return found != null
                && refusesConnections(path)
                && found.equals(Identity.of(path))
                && Files.deleteIfExists(path);
    }

    /** Non-blocking, because a server with a full backlog would keep a blocking connect waiting. */
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

    /** Throws no exception: what cannot be deleted is stale, and the next bind replaces it. */
    void delete() {
        try {
            if (identity != null && identity.equals(Identity.of(path))) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | RuntimeException e) {
            logger.warn("the socket file cannot be deleted, and is left behind: " + path, e);
        }
    }
}
