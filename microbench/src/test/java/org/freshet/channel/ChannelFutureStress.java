package org.freshet.channel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A future has one outcome, calls each listener once, and leaves no notified thread waiting. */
public class ChannelFutureStress {
    private static final Throwable CAUSE = new Exception("injected by a test");

    static class Completable {
        final DefaultChannelFuture future = new DefaultChannelFuture(null, true);

        static int digit(boolean is) {
            return is ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "succeeded")
    @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "failed")
    @State
    public static class SucceedOrFail extends Completable {
        @Actor
        public void succeed(III_Result r) {
            r.r1 = digit(future.setSuccess());
        }

        @Actor
        public void fail(III_Result r) {
            r.r2 = digit(future.setFailure(CAUSE));
        }

        @Arbiter
        public void later(III_Result r) {
            r.r3 = future.isSuccess() ? 1 : future.getCause() == CAUSE ? 2 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "succeeded")
    @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "cancelled")
    @State
    public static class SucceedOrCancel extends Completable {
        @Actor
        public void succeed(III_Result r) {
            r.r1 = digit(future.setSuccess());
        }

        @Actor
        public void cancel(III_Result r) {
            r.r2 = digit(future.cancel());
        }

        @Arbiter
        public void later(III_Result r) {
            r.r3 = future.isSuccess() ? 1 : future.isCancelled() ? 2 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "called once, and sees what was done before the completion")
    @State
    public static class ListenWhileItSucceeds extends Completable {
        private final AtomicInteger calls = new AtomicInteger();
        private int done;
        private int seen;

        @Actor
        public void succeed() {
            done = 1;
            future.setSuccess();
        }

        @Actor
        public void listen() {
            future.addListener(f -> {
                calls.incrementAndGet();
                seen = done;
            });
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = calls.get();
            r.r2 = seen;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE)
    @State
    public static class TwoListen extends Completable {
        private int first;
        private int second;

        @Actor
        public void listenFirst() {
            future.addListener(f -> first++);
        }

        @Actor
        public void listenSecond() {
            future.addListener(f -> second++);
        }

        @Arbiter
        public void later(II_Result r) {
            future.setSuccess();
            r.r1 = first;
            r.r2 = second;
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE)
    @State
    public static class RemoveAListenerWhileAnotherIsAdded extends Completable {
        private int calls;
        private int others;
        private final ChannelFutureListener removed = f -> calls++;

        public RemoveAListenerWhileAnotherIsAdded() {
            future.addListener(removed);
        }

        @Actor
        public void remove() {
            future.removeListener(removed);
        }

        @Actor
        public void add() {
            future.addListener(f -> others++);
        }

        @Arbiter
        public void later(II_Result r) {
            future.setSuccess();
            r.r1 = calls;
            r.r2 = others;
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "removed in time")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "called before")
    @State
    public static class RemoveAListenerWhileItSucceeds extends Completable {
        private int calls;
        private final ChannelFutureListener listener = f -> calls++;

        public RemoveAListenerWhileItSucceeds() {
            future.addListener(listener);
        }

        @Actor
        public void remove() {
            future.removeListener(listener);
        }

        @Actor
        public void succeed() {
            future.setSuccess();
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = calls;
            r.r2 = digit(future.isSuccess());
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "woken, or need not wait; sees what was done before")
    @State
    public static class AwaitWhileItSucceeds extends Completable {
        /** No wake-up takes this long; a thread that waits this long has lost it. */
        private static final long LOST_SECONDS = 5;

        private int done;

        @Actor
        public void await(I_Result r) {
            long beganNanos = System.nanoTime();
            future.awaitUninterruptibly(LOST_SECONDS, TimeUnit.SECONDS);
            boolean isLost = System.nanoTime() - beganNanos >= TimeUnit.SECONDS.toNanos(LOST_SECONDS);
            r.r1 = isLost ? -1 : done;
        }

        @Actor
        public void succeed() {
            done = 1;
            future.setSuccess();
        }
    }

    @JCStressTest(Mode.Termination)
    @Outcome(id = "TERMINATED", expect = ACCEPTABLE)
    @Outcome(id = "STALE", expect = FORBIDDEN, desc = "the thread never sees the outcome")
    @State
    public static class LookUntilItIsDone extends Completable {
        @Actor
        public void look() {
            while (!future.isDone()) {
                // the outcome is visible by itself
            }
        }

        @Signal
        public void succeed() {
            future.setSuccess();
        }
    }

    @JCStressTest(Mode.Termination)
    @Outcome(id = "TERMINATED", expect = ACCEPTABLE)
    @Outcome(id = "STALE", expect = FORBIDDEN, desc = "the thread is not woken")
    @State
    public static class ParkUntilItIsDone extends Completable {
        @Actor
        public void await() {
            future.awaitUninterruptibly();
        }

        @Signal
        public void succeed() {
            future.setSuccess();
        }
    }
}
