package org.freshet.handler.ssl;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Passes the engine's long-running work, such as checking certificates, to an executor. It runs outside the connection's steps,
 * one group of tasks at a time. In a step, except where noted.
 */
final class DelegatedTasks {
    private final TlsState state;

    /** Whether submitted tasks are still running; the handshake waits for them. */
    private boolean pending;

    DelegatedTasks(TlsState state) {
        this.state = state;
    }

    boolean arePending() {
        return pending;
    }

    /**
     * Passes the engine's tasks to the executor, which may reject them.
     *
     * @param failed called in a step with anything that a task or the executor throws
     * @return whether there were tasks and they are already done
     */
    boolean submit(Executor executor, Consumer<Throwable> failed) {
        List<Runnable> tasks = pending ? List.of() : takeTasks();
        if (tasks.isEmpty()) {
            return false;
        }
        pending = true;
        state.execution().submitTasks(() -> submit(executor, tasks, failed));
        return !pending;
    }

    private List<Runnable> takeTasks() {
        List<Runnable> tasks = new ArrayList<>(1);
        for (Runnable task = state.engine().getDelegatedTask();
                task != null;
                task = state.engine().getDelegatedTask()) {
            tasks.add(task);
        }
        return tasks;
    }

    /** Outside a step, if the execution has locks. */
    private void submit(Executor executor, List<Runnable> tasks, Consumer<Throwable> failed) {
        try {
            executor.execute(() -> runAll(tasks, failed));
        } catch (Throwable refused) {
            state.execution().run(() -> end(failed, refused));
        }
    }

    /** On the executor's thread. */
    private void runAll(List<Runnable> tasks, Consumer<Throwable> failed) {
        Throwable thrown = null;
        try {
            tasks.forEach(Runnable::run);
        } catch (Throwable t) {
            thrown = t;
        }
        Throwable outcome = thrown;
        state.execution().run(() -> end(failed, outcome));
    }

    private void end(Consumer<Throwable> failed, Throwable thrown) {
        pending = false;
        if (thrown != null) {
            failed.accept(thrown);
        }
    }
}
