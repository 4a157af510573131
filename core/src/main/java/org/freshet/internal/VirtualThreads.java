package org.freshet.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;

/** Access to virtual threads by reflection, because this class is compiled for JVMs without them. Any thread may call any method. */
public final class VirtualThreads {
    /** In earlier releases they were missing or a preview. */
    private static final int FIRST_RELEASE = 21;

    /** Null if the JVM has no virtual threads. */
    private static final MethodHandle START = findStart();

    /** Null if the JVM has no virtual threads. */
    private static final MethodHandle IS_VIRTUAL = findIsVirtual();

    private VirtualThreads() {}

    private static MethodHandle findStart() {
        if (Runtime.version().feature() < FIRST_RELEASE) {
            return null;
        }
        try {
            return MethodHandles.publicLookup()
                    .findStatic(Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class))
                    .asType(MethodType.methodType(void.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle findIsVirtual() {
        if (Runtime.version().feature() < FIRST_RELEASE) {
            return null;
        }
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static boolean isVirtual(Thread thread) {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError("isVirtual declares no checked exception", t);
        }
    }

    public static boolean exist() {
        return START != null;
    }

    /** Returns an executor that starts a virtual thread for each task. It needs no shutdown. */
    public static Executor executor() {
        return VirtualThreads::start;
    }

    private static void start(Runnable task) {
        try {
            START.invokeExact(task);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError("startVirtualThread declares no checked exception", t);
        }
    }
}
