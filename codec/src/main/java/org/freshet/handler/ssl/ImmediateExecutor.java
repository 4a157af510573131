package org.freshet.handler.ssl;

import java.util.concurrent.Executor;

/** Runs every task at once, on the thread that submits it. What the task throws reaches that thread. */
public final class ImmediateExecutor implements Executor {
    /** Has no state, so one serves all. */
    public static final ImmediateExecutor INSTANCE = new ImmediateExecutor();

    private ImmediateExecutor() {}

    @Override
    public void execute(Runnable task) {
        task.run();
    }
}
