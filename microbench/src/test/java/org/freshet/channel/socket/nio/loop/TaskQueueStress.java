package org.freshet.channel.socket.nio.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Tasks that threads submit to a loop run once and in order, or are refused. Tasks are named by digits, oldest first.
 */
public class TaskQueueStress {
    static class Named {
        /** Detects a queue that has become circular. */
        private static final int MOST_POLLS = 8;

        final TaskQueue queue = new TaskQueue();
        private int ran;

        final int submit(int name) {
            return queue.submit(new TaskQueue.Link(() -> ran = ran * 10 + name)) ? 1 : 0;
        }

        final int polled() {
            ran = 0;
            TaskQueue.Task task = queue.poll();
            for (int polls = 0; task != null && polls < MOST_POLLS; polls++) {
                task.run();
                task = queue.poll();
            }
            return ran;
        }
    }

    @JCStressTest
    @Outcome(id = "12", expect = ACCEPTABLE)
    @Outcome(id = "21", expect = ACCEPTABLE)
    @State
    public static class TwoSubmit extends Named {
        @Actor
        public void first() {
            submit(1);
        }

        @Actor
        public void second() {
            submit(2);
        }

        @Arbiter
        public void loop(I_Result r) {
            r.r1 = polled();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "polled before")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "polled in between")
    @Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "polled after")
    @State
    public static class SubmitWhileTheLoopPolls extends Named {
        @Actor
        public void user() {
            submit(1);
            submit(2);
        }

        @Actor
        public void loop(II_Result r) {
            r.r1 = polled();
        }

        @Arbiter
        public void later(II_Result r) {
            r.r2 = polled();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "accepted, so the queue stays open")
    @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "refused, because the queue is closed")
    @State
    public static class SubmitWhileTheLoopEnds extends Named {
        @Actor
        public void user(III_Result r) {
            r.r1 = submit(1);
        }

        @Actor
        public void loop(III_Result r) {
            r.r2 = queue.closeIfEmpty() ? 1 : 0;
        }

        @Arbiter
        public void later(III_Result r) {
            r.r3 = polled();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 12", expect = ACCEPTABLE, desc = "accepted, so it runs")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "refused")
    @State
    public static class SubmitWhileTheLoopRefuses extends Named {
        public SubmitWhileTheLoopRefuses() {
            submit(1);
        }

        @Actor
        public void user(II_Result r) {
            r.r1 = submit(2);
        }

        @Actor
        public void loop() {
            queue.refuse();
        }

        @Arbiter
        public void later(II_Result r) {
            r.r2 = polled();
        }
    }
}
