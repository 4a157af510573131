package org.freshet.handler.execution;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads, available since Java 21. */
final class VirtualThreads {
    private VirtualThreads() {}

    /** An executor with a new thread per task; empty if this JVM has no virtual threads. */
    static Optional<ExecutorService> newExecutor() {
        try {
            return Optional.of((ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("cannot make an executor of virtual threads", e);
        }
    }
}
