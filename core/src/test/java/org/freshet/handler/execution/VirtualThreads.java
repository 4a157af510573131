package org.freshet.handler.execution;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Java has them from 21 on. */
final class VirtualThreads {
    private VirtualThreads() {}

    /** One that makes a thread for each task; empty if this JVM cannot. */
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
