package org.freshet.testkit.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/** A timer on the simulated clock with its own thread for tasks. For the thread that holds the {@link Baton}. */
final class SimulatedTimer implements Timer, Runnable {
    private final Baton baton;
    private final List<Pending> pending = new ArrayList<>();
    private boolean isStopped;

    SimulatedTimer(Baton baton) {
        this.baton = baton;
    }

    private final class Pending implements Timeout {
        private final TimerTask task;
        private final long atNanos;
        private boolean isExpired;
        private boolean isCancelled;

        private Pending(TimerTask task, long atNanos) {
            this.task = task;
            this.atNanos = atNanos;
        }

        @Override
        public Timer getTimer() {
            return SimulatedTimer.this;
        }

        @Override
        public TimerTask getTask() {
            return task;
        }

        @Override
        public boolean isExpired() {
            return isExpired;
        }

        @Override
        public boolean isCancelled() {
            return isCancelled;
        }

        @Override
        public void cancel() {
            isCancelled |= pending.remove(this);
        }
    }

    /** Takes at least 1 ns: a timeout that sets itself again lets time pass, and the other threads run. */
    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        baton.rejectOutsider();
        Pending timeout = new Pending(task, baton.nanos() + Math.max(1, unit.toNanos(delay)));
        pending.add(timeout);
        pending.sort(Comparator.comparing(each -> each, (a, b) -> Long.signum(a.atNanos - b.atNanos)));
        return timeout;
    }

    @Override
    public long nanoTime() {
        return baton.nanos();
    }

    @Override
    public Set<Timeout> stop() {
        isStopped = true;
        Set<Timeout> left = Set.copyOf(pending);
        pending.clear();
        return left;
    }

    /** Returns the number of tasks still to run. */
    int pending() {
        return pending.size();
    }

    @Override
    public void run() {
        baton.pass();
        while (!isStopped && !baton.hasFailed()) {
            if (pending.isEmpty()) {
                baton.await(() -> isStopped || !pending.isEmpty() || baton.hasFailed(), 0);
            } else if (pending.get(0).atNanos - baton.nanos() > 0) {
                Pending next = pending.get(0);
                baton.await(
                        () -> isStopped || pending.isEmpty() || pending.get(0) != next || baton.hasFailed(),
                        next.atNanos - baton.nanos());
            } else {
                expire(pending.remove(0));
            }
        }
    }

    private void expire(Pending timeout) {
        timeout.isExpired = true;
        baton.note("timeout", 0, 0);
        try {
            timeout.task.run(timeout);
        } catch (Exception e) {
            baton.fail(e);
        }
    }
}
