package org.freshet.channel.socket.nio.loop;

import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * What the transport takes from the JVM: selectors, sockets and the time. A test passes its own clock, a simulation its own kernel.
 *
 * @param provider opens every selector and every socket
 * @param nanoClock nanoseconds since an arbitrary point, as {@link System#nanoTime()}
 * @param isWatched whether the JVM's watch, a thread that goes by {@link System#nanoTime()}, looks for stalls
 */
public record Platform(SelectorProvider provider, LongSupplier nanoClock, boolean isWatched) {
    /** The JVM's own. */
    public static final Platform DEFAULT = new Platform(SelectorProvider.provider(), System::nanoTime, true);

    /** Another than the JVM's own, which is not watched. */
    public Platform(SelectorProvider provider, LongSupplier nanoClock) {
        this(provider, nanoClock, false);
    }

    public Platform {
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(nanoClock, "nanoClock");
    }
}
