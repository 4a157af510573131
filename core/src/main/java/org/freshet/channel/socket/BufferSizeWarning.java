package org.freshet.channel.socket;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Warns, once per direction, that sockets get smaller buffers than requested. The kernel doesn't report this: a server that was given 8 MiB
 * for a fast long-distance line runs with 208 KiB.
 *
 * <p>Any thread may call any method. Sizes up to the largest one granted are not checked again, so most connections need no extra system
 * call.
 */
final class BufferSizeWarning {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(BufferSizeWarning.class);

    private static final BufferSizeWarning RECEIVE = new BufferSizeWarning("receive", "net.core.rmem_max");
    private static final BufferSizeWarning SEND = new BufferSizeWarning("send", "net.core.wmem_max");

    private final String direction;

    /** The Linux setting that limits it. */
    private final String limit;

    /** The largest size that the kernel is known to grant; Integer.MAX_VALUE once the warning was logged. */
    private volatile int grantedBytes;

    BufferSizeWarning(String direction, String limit) {
        this.direction = direction;
        this.limit = limit;
    }

    static BufferSizeWarning of(SocketOption<Integer> name) {
        return name == StandardSocketOptions.SO_SNDBUF ? SEND : RECEIVE;
    }

    /** Whether the kernel might grant less than this, and no warning was logged yet. */
    boolean isUnknown(int bytes) {
        return bytes > grantedBytes;
    }

    /** Called with the requested and the actual size. A second warning in a race of two threads does no harm. */
    void onGranted(int asked, int granted) {
        if (granted >= asked) {
            grantedBytes = Math.max(grantedBytes, asked);
            return;
        }
        grantedBytes = Integer.MAX_VALUE;
        logger.warn("a socket requested a " + direction + " buffer of " + asked + " bytes and got " + granted
                + ". The system's limit is lower: on Linux, 'sysctl -w " + limit + "=" + asked
                + "' raises it. This is logged once.");
    }
}
