package org.freshet.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.freshet.internal.FailureWitness;

/**
 * Schedules the threads of a simulation: only the thread with the baton runs, and it passes the baton on at its system
 * calls. The seed decides who gets it, so a seed determines the whole order of events. Also keeps the simulated time,
 * which advances with each step and jumps when all threads wait.
 *
 * <p>Threading: the threads of {@link #executor} pass the baton among themselves; data they share needs no other
 * synchronization. The thread that created this object starts them and waits for the end.
 */
final class Baton {
    /** More than most runs need: a run that reaches this number will not end. */
    private static final int MAX_STEPS = 400_000;

    /**
     * The maximum simulated time of a run, for pipelines that never come to rest, for instance because they keep
     * pinging.
     */
    private static final long HORIZON_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final int[] WEIGHTS = {1, 3, 10, 40};
    private static final int STEPS_TO_NEW_WEIGHTS = 300;
    private static final int MAX_JUMP_MILLIS = 3_000;

    /** The part of the simulation that acts by itself: the network delivers. */
    interface Nature {
        boolean canAct();

        void act();
    }

    /** Callbacks for failures on the simulation's threads, and for the end of a run. */
    interface Course extends FailureWitness {
        /** Called when nothing happens any more. Returns false to end the run. */
        boolean onIdle();

        /** Makes the threads end after a failure. Called once. */
        void onFailed();
    }

    private final Draw draw;
    private final Trace trace;
    private final Nature nature;
    private final Course course;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Actor> runnable = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long startNanos;
    private final Thread starter = Thread.currentThread();
    private FaultRates faults;

    /** The simulation ends at this time; later events do not happen. */
    private long horizonNanos;

    private long nowNanos;
    private int natureWeight = 1;
    private volatile int steps;

    private int maxSteps = MAX_STEPS;

    /** Set after a failure. */
    private boolean isEnding;

    /** The first failure; null if nothing has failed. */
    private volatile Throwable failure;

    /** The last failure caused by a thread from outside. */
    private volatile AssertionError outsider;

    /** Null while no thread runs. */
    private volatile Actor holder;

    Baton(Draw draw, Trace trace, FaultRates faults, Nature nature, Course course) {
        this.draw = draw;
        this.trace = trace;
        this.faults = faults;
        this.nature = nature;
        this.course = course;
        startNanos = draw.oneIn(3) ? Long.MAX_VALUE - 1_000_000 : 0; // nanoTime may overflow
        nowNanos = startNanos;
        extendHorizon();
    }

    /** A thread of the simulation. */
    private final class Actor implements Runnable {
        final String title;
        final Runnable task;
        final CountDownLatch arrived = new CountDownLatch(1);

        /** Set before the baton is first passed. */
        SimulatedThread thread;

        int weight = 1;

        /** Null while the thread can run. */
        BooleanSupplier condition;

        /** Null for no deadline. */
        Long deadlineNanos;

        boolean isEnded;

        /**
         * Whether it waits for the baton, or has received it but not noticed yet; that can take time on a busy machine.
         */
        volatile boolean isAwaitingBaton;

        Actor(String title, Runnable task) {
            this.title = title;
            this.task = task;
        }

        @Override
        public void run() {
            try {
                task.run();
            } catch (Throwable t) {
                fail(t);
            }
            isEnded = true;
            passOn(this);
        }

        Baton baton() {
            return Baton.this;
        }

        boolean isRunnable() {
            return !isEnded && (condition == null || isDue() || condition.getAsBoolean());
        }

        private boolean isDue() {
            return deadlineNanos != null && deadlineNanos - nowNanos <= 0;
        }
    }

    // ---- set-up and end, on the test's thread -----------------------------------------------------------------------

    /** Runs each task on a new thread of the simulation, named with the title and a number. */
    Executor executor(String title) {
        AtomicInteger last = new AtomicInteger();
        return task -> {
            Actor actor = new Actor(title + "-" + last.incrementAndGet(), task);
            actors.add(actor);
            actor.thread = SimulatedThread.start("simulated-" + actor.title, actor, course);
        };
    }

    /** Runs the simulation to its end. Throws the first failure. */
    void run(long timeoutSeconds) throws Throwable {
        try {
            for (Actor actor : actors) {
                if (!actor.arrived.await(timeoutSeconds, TimeUnit.SECONDS)) {
                    throw new AssertionError(actor.title + " did not reach its first system call");
                }
            }
            newWeights();
            give(choose());
            awaitEnd(timeoutSeconds * maxSteps / MAX_STEPS); // allow more time for more steps
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a simulation ran", e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void awaitEnd(long timeoutSeconds) throws InterruptedException {
        String wrong = new Lookout(ended, () -> steps, this::running, Lookout.LOOK_MILLIS).awaitEnd(timeoutSeconds);
        if (wrong != null) {
            throw stuck(wrong);
        }
    }

    /** Returns null if no thread runs, or the one that should waits for the baton. */
    private Thread running() {
        Actor running = holder;
        return running == null || running.isAwaitingBaton ? null : running.thread;
    }

    /** Returns a failure with the stack of the running thread. */
    private NoEnd stuck(String why) {
        Actor running = holder;
        StackTraceElement[] stack = running == null ? new StackTraceElement[0] : running.thread.getStackTrace();
        NoEnd stuck = new NoEnd(why + Stacks.placeIn(stack));
        if (running != null) {
            stuck.setStackTrace(stack);
        }
        fail(stuck); // so that the threads end if it continues
        return stuck;
    }

    // ---- for the thread with the baton ------------------------------------------------------------------------------

    /** A point at which another thread may take over. */
    void pass() {
        Actor me = me();
        if (me == null) {
            rejectOutsider();
            return;
        }
        if (holder != me) { // not started
            me.arrived.countDown();
            awaitBaton(me);
        } else if (draw.chance(faults.switching())) {
            passOn(me);
        }
    }

    /**
     * Fails the run if a thread from outside the simulation takes part, because then the result depends on the machine.
     * The starter is allowed: it sets up the run.
     */
    void rejectOutsider() {
        Thread thread = Thread.currentThread();
        if (thread != starter && me() == null) {
            outsider =
                    new AssertionError("the thread \"" + thread.getName() + "\" uses the simulated network, but no seed"
                            + " determines when: don't start threads in handlers" + Stacks.placeOfCaller());
            fail(outsider);
        }
    }

    /** Returns the failure caused by a thread from outside, even if it came after another one; null for none. */
    AssertionError outsider() {
        return outsider;
    }

    /**
     * Waits until a condition holds.
     *
     * @param timeoutNanos 0 for no limit
     */
    void await(BooleanSupplier condition, long timeoutNanos) {
        Actor me = me();
        me.condition = condition;
        me.deadlineNanos = timeoutNanos == 0 ? null : nowNanos + timeoutNanos;
        passOn(me);
        me.condition = null;
        me.deadlineNanos = null;
    }

    /** Fails the simulation. Only the first failure counts. */
    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    void heal() {
        faults = faults.healed();
    }

    void addSteps(int more) {
        maxSteps += more;
    }

    void setFaults(FaultRates rates) {
        faults = rates;
    }

    /** Moves the time limit: the rest of the run gets as much time as a whole run. */
    void extendHorizon() {
        horizonNanos = nowNanos + HORIZON_NANOS;
    }

    FaultRates faults() {
        return faults;
    }

    long nanos() {
        return nowNanos;
    }

    void note(String what, long first, long second) {
        if (failure != null) {
            return; // the trace ends at the failure
        }
        Actor me = holder;
        trace.add(me == null ? "network" : me.title, nowNanos - startNanos, what, first, second);
    }

    /** Returns the threads that have not ended. */
    List<String> left() {
        return actors.stream()
                .filter(actor -> !actor.isEnded)
                .map(actor -> actor.title)
                .toList();
    }

    // ---- passing the baton ------------------------------------------------------------------------------------------

    private Actor me() {
        return Thread.currentThread() instanceof SimulatedThread thread
                        && thread.task() instanceof Actor actor
                        && actor.baton() == this
                ? actor
                : null;
    }

    private void passOn(Actor me) {
        Actor next = choose();
        if (next != me) {
            give(next);
            if (!me.isEnded) {
                awaitBaton(me);
            }
        }
    }

    private void give(Actor next) {
        holder = next;
        if (next == null) {
            ended.countDown();
        } else {
            LockSupport.unpark(next.thread);
        }
    }

    private void awaitBaton(Actor me) {
        me.isAwaitingBaton = true;
        while (holder != me) {
            LockSupport.park(this);
        }
        me.isAwaitingBaton = false;
    }

    /** Returns the thread to run next; null at the end. */
    private Actor choose() {
        Actor caller = holder;
        holder = null; // the following events belong to no thread
        Actor next = draw();
        holder = caller;
        if (next != null && next != caller && failure == null) {
            trace.add(next.title, nowNanos - startNanos, "runs", 0, 0);
        }
        return next;
    }

    private Actor draw() {
        while (true) {
            steps++;
            if (steps == maxSteps) {
                fail(new NoEnd("no end after " + maxSteps + " steps and "
                        + TimeUnit.NANOSECONDS.toMillis(nowNanos - startNanos) + " simulated ms: something repeats"
                        + " itself without a pause, such as a time-out of 0 or a task that starts itself"));
            } else if (steps > 2 * maxSteps) {
                return null; // abandons its threads
            } else if (steps % STEPS_TO_NEW_WEIGHTS == 0) {
                newWeights();
            }
            if (failure != null && !isEnding) {
                isEnding = true;
                course.onFailed();
            }
            letTimePass();
            runnable.clear();
            int sum = nature.canAct() ? natureWeight : 0;
            int natural = sum;
            for (int i = 0; i < actors.size(); i++) {
                Actor actor = actors.get(i);
                if (actor.isRunnable()) {
                    runnable.add(actor);
                    sum += actor.weight;
                }
            }
            if (sum == 0) {
                if (!advanceToDeadline() && !goesOn()) {
                    return null;
                }
                continue;
            }
            int drawn = draw.below(sum) - natural;
            if (drawn < 0) {
                nature.act();
                continue;
            }
            for (Actor actor : runnable) {
                drawn -= actor.weight;
                if (drawn < 0) {
                    return actor;
                }
            }
        }
    }

    private boolean goesOn() {
        try {
            return course.onIdle();
        } catch (Throwable t) {
            fail(t);
            return !isEnding;
        }
    }

    private void letTimePass() {
        nowNanos += draw.between(1, faults.stepNanos());
        if (draw.chance(faults.jump())) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(draw.between(1, MAX_JUMP_MILLIS));
        }
    }

    /** Returns false if no thread waits for a time before the horizon. */
    private boolean advanceToDeadline() {
        Actor first = null;
        for (Actor actor : actors) {
            if (!actor.isEnded
                    && actor.deadlineNanos != null
                    && (first == null || actor.deadlineNanos - first.deadlineNanos < 0)) {
                first = actor;
            }
        }
        if (first == null || first.deadlineNanos - horizonNanos > 0) {
            return false;
        }
        nowNanos = first.deadlineNanos;
        return true;
    }

    private void newWeights() {
        for (Actor actor : actors) {
            actor.weight = draw.oneOf(WEIGHTS);
        }
        natureWeight = draw.oneOf(WEIGHTS);
    }
}
