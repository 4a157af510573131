package org.freshet.channel.socket.nio.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.freshet.internal.telemetry.LoopCounters;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A task that is submitted again runs once more, and is in the queue only once. */
public class ReusableTaskStress {
    private static final int MOST_RUNS = 4;
    private static final LoopThread THREAD = new LoopThread();
    private static final LoopCounters COUNTERS = new LoopCounters();
    private static final LoopRecovery RECOVERY = new LoopRecovery();
    private static final LoopSelector SELECTOR = new LoopSelector(new WaitingProvider(), key -> {}, COUNTERS);

    static class Submitted {
        final LoopTasks tasks = new LoopTasks(THREAD, SELECTOR, RECOVERY, COUNTERS);
        final ReusableTask task = new ReusableTask(this::run);
        volatile int left;
        int seen;
        int runs;

        private void run() {
            seen = left;
            runs++;
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE)
    @State
    public static class SubmitWhileItRuns extends Submitted {
        public SubmitWhileItRuns() {
            task.submitTo(tasks);
        }

        @Actor
        public void user() {
            left = 1;
            task.submitTo(tasks);
        }

        @Actor
        public void loop() {
            tasks.run(1);
        }

        @Arbiter
        public void later(I_Result r) {
            tasks.run(MOST_RUNS);
            r.r1 = seen;
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE)
    @State
    public static class TwoSubmit extends Submitted {
        @Actor
        public void first() {
            task.submitTo(tasks);
        }

        @Actor
        public void second() {
            task.submitTo(tasks);
        }

        @Arbiter
        public void loop(I_Result r) {
            tasks.run(MOST_RUNS);
            r.r1 = runs;
        }
    }
}
