package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.freshet.util.ExternalResourceReleasable;

/** Shuts down executors that can be shut down. */
final class ExecutorRelease {
    private ExecutorRelease() {}

    /** Lets submitted tasks run, and does not wait for them. */
    static void release(Executor executor) {
        if (executor instanceof ExternalResourceReleasable releasable) {
            releasable.releaseExternalResources();
        } else if (executor instanceof ExecutorService service) {
            service.shutdown();
        }
    }
}
