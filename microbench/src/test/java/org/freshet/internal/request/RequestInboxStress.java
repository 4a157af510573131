package org.freshet.internal.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Threads that leave requests, and one that takes them. Requests are named by digits, oldest first. */
public class RequestInboxStress {
    static class Inbox extends RequestInbox {
        final int pushed(int name) {
            return push(new Named(name)) ? 1 : 0;
        }

        final int taken() {
            int names = 0;
            for (ChannelRequest request = takeInbox(); request != null; request = request.next) {
                names = names * 10 + ((Named) request).name;
            }
            return names;
        }
    }

    static final class Named extends ChannelRequest {
        final int name;

        Named(int name) {
            this.name = name;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 12", expect = ACCEPTABLE, desc = "the first notifies the loop")
    @Outcome(id = "0, 1, 21", expect = ACCEPTABLE, desc = "the second does")
    @State
    public static class TwoPush extends Inbox {
        @Actor
        public void first(III_Result r) {
            r.r1 = pushed(1);
        }

        @Actor
        public void second(III_Result r) {
            r.r2 = pushed(2);
        }

        @Arbiter
        public void loop(III_Result r) {
            r.r3 = taken();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "taken after both")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "taken in between")
    @Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "taken after both, early")
    @State
    public static class OneThreadPushesTwo extends Inbox {
        @Actor
        public void writer() {
            pushed(1);
            pushed(2);
        }

        @Actor
        public void loop(II_Result r) {
            r.r1 = taken();
        }

        @Arbiter
        public void later(II_Result r) {
            r.r2 = taken();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 12, 0", expect = ACCEPTABLE, desc = "goes along with the request that was there")
    @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "comes too late for it, and notifies")
    @State
    public static class PushWhileTheLoopTakes extends Inbox {
        public PushWhileTheLoopTakes() {
            pushed(1);
        }

        @Actor
        public void writer(III_Result r) {
            r.r1 = pushed(2);
        }

        @Actor
        public void loop(III_Result r) {
            r.r2 = taken();
        }

        @Arbiter
        public void later(III_Result r) {
            r.r3 = taken();
        }
    }

    @JCStressTest
    @Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "the first takes both")
    @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "the second does")
    @State
    public static class TwoTake extends Inbox {
        public TwoTake() {
            pushed(1);
            pushed(2);
        }

        @Actor
        public void first(II_Result r) {
            r.r1 = taken();
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = taken();
        }
    }
}
