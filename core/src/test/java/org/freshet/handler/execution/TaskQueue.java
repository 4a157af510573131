package org.freshet.handler.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** An executor that runs nothing until it is told. For one thread. */
final class TaskQueue implements Executor {
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    int size() {
        return tasks.size();
    }

    /** Runs one of those that wait, 0 being the oldest. */
    void run(int index) {
        tasks.remove(index).run();
    }

    /** Runs all, oldest first, and what follows from it. */
    void runAll() {
        while (!tasks.isEmpty()) {
            run(0);
        }
    }
}
