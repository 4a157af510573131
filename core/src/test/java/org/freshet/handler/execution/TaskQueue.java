package org.freshet.handler.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** An executor that runs nothing until the test asks it to. For one thread. */
final class TaskQueue implements Executor {
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    int size() {
        return tasks.size();
    }

    /** Runs one waiting task; 0 is the oldest. */
    void run(int index) {
        tasks.remove(index).run();
    }

    /** Runs all tasks, oldest first, and the tasks they submit. */
    void runAll() {
        while (!tasks.isEmpty()) {
            run(0);
        }
    }
}
