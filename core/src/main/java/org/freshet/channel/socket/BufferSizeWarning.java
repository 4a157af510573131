package org.freshet.channel.socket;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Warns, once for each direction, that sockets get smaller buffers than they are asked to have. The kernel tells nobody, and
 * a server that was given 8 MiB for a long fast line runs with 208 KiB.
 *
 * <p>Any thread. Sizes up to the largest that was granted are not asked about again, so a connection pays for no extra
 * system call.
 */
final class BufferSizeWarning {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(BufferSizeWarning.class);

    private static final BufferSizeWarning RECEIVE = new BufferSizeWarning("receive", "net.core.rmem_max");
    private static final BufferSizeWarning SEND = new BufferSizeWarning("send", "net.core.wmem_max");

    private final String direction;

    /** What limits it on Linux. */
    private final String limit;

    /** The largest size that the kernel is known to grant; the greatest number once the warning was given. */
    private volatile int grantedBytes;

    BufferSizeWarning(String direction, String limit) {
        this.direction = direction;
        this.limit = limit;
    }

    static BufferSizeWarning of(SocketOption<Integer> name) {
        return name == StandardSocketOptions.SO_SNDBUF ? SEND : RECEIVE;
    }

    /** Whether it is not known yet if the kernel grants so much, and nothing was said. */
    boolean isUnknown(int bytes) {
        return bytes > grantedBytes;
    }

    /** The kernel was asked for {@code asked} bytes. A second warning in a race of two threads does no harm. */
    void onGranted(int asked, int granted) {
        if (granted >= asked) {
            grantedBytes = Math.max(grantedBytes, asked);
            return;
        }
        grantedBytes = Integer.MAX_VALUE;
        logger.warn("A socket asked for a " + direction + " buffer of " + asked + " bytes and got " + granted
                + ". The system's limit is lower: on Linux, 'sysctl -w " + limit + "=" + asked
                + "' raises it. This is said once.");
    }
}
