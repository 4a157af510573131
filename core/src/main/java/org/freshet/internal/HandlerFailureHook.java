package org.freshet.internal;

import java.util.function.BiConsumer;

/**
 * Notifies a component that runs handlers on a thread of their exceptions. The pipeline does not rethrow an exception but sends an
 * exception event, which may arrive later and on another thread.
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

    /** Called by the pipeline when a handler of the channel has thrown on this thread. */
    public static void handlerThrew(Object channel, Throwable thrown) {
        BiConsumer<Object, Throwable> hook = HOOK.get();
        if (hook != null) {
            hook.accept(channel, thrown);
        }
    }
}
