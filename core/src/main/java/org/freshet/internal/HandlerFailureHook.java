package org.freshet.internal;

import java.util.function.BiConsumer;

/**
 * Tells a component that runs handlers on a thread what they throw. The pipeline does not rethrow it but sends an exception
 * event, which may arrive later and on another thread.
 *
 * <p>Each thread has at most one hook. It is called on that thread, before the exception event is sent.
 */
public final class HandlerFailureHook {
    private static final ThreadLocal<BiConsumer<Object, Throwable>> HOOK = new ThreadLocal<>();

    private HandlerFailureHook() {}

    /** Replaces this thread's hook; null for none. */
    public static void set(BiConsumer<Object, Throwable> hook) {
        if (hook == null) {
            HOOK.remove();
        } else {
            HOOK.set(hook);
        }
    }

    /** Called by the pipeline: a handler of the channel threw on this thread. */
    public static void handlerThrew(Object channel, Throwable thrown) {
        BiConsumer<Object, Throwable> hook = HOOK.get();
        if (hook != null) {
            hook.accept(channel, thrown);
        }
    }
}
