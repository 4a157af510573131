package org.freshet.internal;

import java.util.function.BiConsumer;
import org.freshet.channel.Channel;

/**
 * Lets the one who runs handlers on a thread learn what they throw. The pipeline turns that into an exception event and
 * does not throw it on, and the event may come much later and on another thread.
 *
 * <p>Each thread has at most one watcher, which is told on that thread, before the exception event sets out.
 */
public final class FailureWatch {
    private static final ThreadLocal<BiConsumer<Channel, Throwable>> WATCHER = new ThreadLocal<>();

    private FailureWatch() {}

    /** Sets this thread's watcher, instead of the one before; null for none. */
    public static void set(BiConsumer<Channel, Throwable> watcher) {
        if (watcher == null) {
            WATCHER.remove();
        } else {
            WATCHER.set(watcher);
        }
    }

    /** For the pipeline: a handler of the channel threw on this thread. */
    public static void handlerThrew(Channel channel, Throwable thrown) {
        BiConsumer<Channel, Throwable> watcher = WATCHER.get();
        if (watcher != null) {
            watcher.accept(channel, thrown);
        }
    }
}
