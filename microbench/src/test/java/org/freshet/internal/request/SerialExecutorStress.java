package org.freshet.internal.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Each task of a channel runs once and sees the effects of the ones before it, whichever threads run them. */
public class SerialExecutorStress {
    static class Counted {
        final SerialExecutor executor = new SerialExecutor();

        /** Guarded by the executor. */
        int count;

        final void increment() {
            executor.execute(() -> count++);
        }
    }

    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE)
    @State
    public static class TwoExecute extends Counted {
        @Actor
        public void first() {
            increment();
        }

        @Actor
        public void second() {
            increment();
        }

        @Arbiter
        public void later(I_Result r) {
            r.r1 = count;
        }
    }

    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE)
    @State
    public static class ExecuteWhileTheChannelsThreadHolds extends Counted {
        @Actor
        public void channelsThread() {
            executor.acquire();
            count++;
            executor.release();
        }

        @Actor
        public void timer() {
            increment();
        }

        @Arbiter
        public void later(I_Result r) {
            r.r1 = count;
        }
    }

    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE)
    @State
    public static class UrgentWhileTheHolderLends extends Counted {
        @Actor
        public void blockedHolder() {
            executor.acquire();
            boolean isLent = executor.lend();
            if (isLent) {
                executor.reclaim();
            }
            count++;
            executor.release();
        }

        @Actor
        public void timer() {
            executor.executeUrgently(() -> count++);
        }

        @Arbiter
        public void later(I_Result r) {
            r.r1 = count;
        }
    }
}
