package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.ExternalResourceReleasable;

/** Ends executors that are of a kind that can be ended. */
final class ExecutorRelease {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ExecutorRelease.class);

    /** How long tasks may take to end by themselves, and then once more after they were interrupted. */
    private static final long PATIENCE_SECONDS = 10;

    private ExecutorRelease() {}

    /**
     * Lets what was submitted run to its end, interrupts what takes too long, and waits for it.
     *
     * @throws IllegalStateException if called by a task of the executor, which would wait for itself
     */
    static void release(Executor executor) {
        refuseFromWithin(executor);
        if (executor instanceof ExternalResourceReleasable releasable) {
            releasable.releaseExternalResources();
        } else if (executor instanceof ExecutorService service) {
            end(service);
        }
    }

    /** @throws IllegalStateException if called by a task of the executor */
    static void refuseFromWithin(Executor executor) {
        if (ChannelEventRunnable.isRunBy(executor)) {
            throw new IllegalStateException("an event of this executor may not release it: it would wait for itself");
        }
    }

    private static void end(ExecutorService service) {
        service.shutdown();
        try {
            if (!service.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                service.shutdownNow();
                if (!service.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    logger.warn("tasks go on although they were interrupted: " + service);
                }
            }
        } catch (InterruptedException e) {
            service.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
