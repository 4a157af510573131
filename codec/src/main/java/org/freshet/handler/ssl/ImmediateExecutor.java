package org.freshet.handler.ssl;

import java.util.concurrent.Executor;

/** Runs every task immediately, on the thread that submits it. Exceptions of the task reach that thread. */
public final class ImmediateExecutor implements Executor {
    /** Stateless, so one instance is enough. */
    public static final ImmediateExecutor INSTANCE = new ImmediateExecutor();

    private ImmediateExecutor() {}

    @Override
    public void execute(Runnable task) {
        task.run();
    }
}
