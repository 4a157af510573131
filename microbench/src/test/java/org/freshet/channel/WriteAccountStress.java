package org.freshet.channel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The state of a channel's account after two threads have changed it. Amounts are multiples of its unit. */
public class WriteAccountStress {
    private static final int UNIT = 32;

    static class Account extends StressChannel {
        Account() {
            this(null);
        }

        Account(AbstractChannel whole) {
            super(Channels.pipeline(), whole);
        }

        final int waiting() {
            return (int) WriteAccount.waitingBytes(this) / UNIT;
        }

        final int queued() {
            return (int) WriteAccount.queuedBytes(this) / UNIT;
        }

        final int writable() {
            return isWritable() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "4, 0", expect = ACCEPTABLE)
    @State
    public static class ChargeWhileAnotherReleases extends Account {
        public ChargeWhileAnotherReleases() {
            WriteAccount.charge(this, UNIT);
        }

        @Actor
        public void charge() {
            WriteAccount.charge(this, 4 * UNIT);
        }

        @Actor
        public void release() {
            WriteAccount.release(this, UNIT);
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = waiting();
            r.r2 = queued();
            setClosed();
        }
    }

    @JCStressTest
    @Outcome(id = "5, 4", expect = ACCEPTABLE)
    @State
    public static class AHandlerHoldsWhileTheTransportQueues extends Account {
        @Actor
        public void handler() {
            WriteAccount.charge(this, UNIT);
        }

        @Actor
        public void transport() {
            admitWrite(4 * UNIT);
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = waiting();
            r.r2 = queued();
            setClosed();
        }
    }

    /**
     * The total must neither keep a charge of its part nor lose its own; all amounts are too small for the budget to
     * count.
     */
    @JCStressTest
    @Outcome(id = "0, 1, 0", expect = ACCEPTABLE)
    @State
    public static class APartClosesWhileItCharges extends Account {
        private final Account part = new Account(this);

        @Actor
        public void writer() {
            part.admitWrite(2 * UNIT);
        }

        @Actor
        public void transport() {
            part.setClosed();
        }

        @Arbiter
        public void later(III_Result r) {
            r.r1 = waiting();
            admitWrite(UNIT);
            r.r2 = waiting();
            r.r3 = MemoryBudget.getQueuedBytes() == 0 ? 0 : 1;
            setClosed();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "both changes are kept, and it is writable at last")
    @State
    public static class ReadingStopsWhileAMarkIsPassed extends Account {
        @Actor
        public void loop() {
            setInternalInterestOps(OP_NONE);
        }

        @Actor
        public void writer() {
            admitWrite(4 * UNIT);
        }

        @Arbiter
        public void later(III_Result r) {
            updateWritability();
            r.r1 = isReadable() ? 1 : 0;
            r.r2 = writable();
            releaseWrite(4 * UNIT);
            updateWritability();
            r.r3 = writable();
            setClosed();
        }
    }

    /** The loop clears the mark of a backlog that is gone, while a writer creates another one. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE)
    @State
    public static class MuchIsWrittenWhileTheLoopRelieves extends Account {
        public MuchIsWrittenWhileTheLoopRelieves() {
            admitWrite(4 * UNIT);
            updateWritability();
            releaseWrite(4 * UNIT);
        }

        @Actor
        public void loop() {
            updateWritability();
        }

        @Actor
        public void writer() {
            admitWrite(4 * UNIT);
        }

        @Arbiter
        public void later(II_Result r) {
            updateWritability();
            r.r1 = writable();
            releaseWrite(4 * UNIT);
            updateWritability();
            r.r2 = writable();
            setClosed();
        }
    }

    /** Two users change their own reasons: one stops writing, the other continues. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE)
    @State
    public static class TwoUsersChangeTheirReasons extends Account {
        public TwoUsersChangeTheirReasons() {
            setUserDefinedWritability(2, false);
        }

        @Actor
        public void first() {
            setUserDefinedWritability(1, false);
        }

        @Actor
        public void second() {
            setUserDefinedWritability(2, true);
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = writable();
            setUserDefinedWritability(1, true);
            r.r2 = writable();
            setClosed();
        }
    }
}
