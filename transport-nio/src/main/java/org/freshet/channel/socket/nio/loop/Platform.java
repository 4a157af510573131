package org.freshet.channel.socket.nio.loop;

import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The transport's interface to the JVM: selectors, sockets and the clock. A test passes its own clock, a simulation its
 * own kernel.
 *
 * @param provider opens every selector and every socket
 * @param nanoClock nanoseconds since an arbitrary point, like {@link System#nanoTime()}
 * @param isWatched whether the JVM's stall watch, a thread that uses {@link System#nanoTime()}, watches the loops
 */
public record Platform(SelectorProvider provider, LongSupplier nanoClock, boolean isWatched) {
    /** The JVM's own. */
    public static final Platform DEFAULT = new Platform(SelectorProvider.provider(), System::nanoTime, true);

    /** Creates a platform other than the JVM's own. It is not watched. */
    public Platform(SelectorProvider provider, LongSupplier nanoClock) {
        this(provider, nanoClock, false);
    }

    public Platform {
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(nanoClock, "nanoClock");
    }
}
