package org.freshet.handler.ssl;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Gives the long work of an engine, such as checking certificates, to an executor. For whoever has the handler's turn. */
final class DelegatedTasks {
    private final TlsState state;

    /** Whether tasks have been given away and are not done; nothing moves until then. */
    private boolean underWay;

    DelegatedTasks(TlsState state) {
        this.state = state;
    }

    boolean areUnderWay() {
        return underWay;
    }

    /**
     * Gives the tasks that there are to the executor.
     *
     * @param inTurn runs something in a turn of the handler, from any thread
     * @param failed is told, in a turn, what a task threw
     * @return whether they are done already
     */
    boolean run(Executor executor, Consumer<Runnable> inTurn, Consumer<Throwable> failed) {
        List<Runnable> tasks = takeTasks();
        if (underWay || tasks.isEmpty()) {
            return false;
        }
        underWay = true;
        try {
            executor.execute(() -> runAll(tasks, inTurn, failed));
        } catch (Throwable refused) {
            underWay = false;
            throw refused;
        }
        return !underWay;
    }

    private void runAll(List<Runnable> tasks, Consumer<Runnable> inTurn, Consumer<Throwable> failed) {
        try {
            tasks.forEach(Runnable::run);
        } catch (Throwable t) {
            inTurn.accept(() -> failed.accept(t));
        } finally {
            inTurn.accept(() -> underWay = false);
        }
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
}
