package org.freshet.testkit.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets one thread of a simulation run at a time, and draws which one. The others wait for the baton, which the running thread passes on
 * at its system calls; so a seed determines every order of events. Holds the simulated time, too, which passes from step to step and
 * jumps when all threads wait.
 *
 * <p>Threading: the threads of {@link #executor} pass the baton among themselves; what they share needs no other synchronization. The
 * thread that made this starts them, and waits for the end.
 */
final class Baton {
    /** More than most runs need: one that gets here does not come to an end. */
    private static final int MAX_STEPS = 400_000;

    /** How much simulated time may pass without an end of what happens, such as in a pipeline that never stops pinging. */
    private static final long HORIZON_NANOS = TimeUnit.HOURS.toNanos(1);

    /** How often the thread that runs is looked at, and how often in a row it must be found waiting to count as blocked. */
    private static final long LOOK_MILLIS = 50;

    private static final int BLOCKED_LOOKS = 6;

    private static final int[] WEIGHTS = {1, 3, 10, 40};
    private static final int STEPS_TO_NEW_WEIGHTS = 300;
    private static final int MAX_JUMP_MILLIS = 3_000;

    /** What happens by itself: the network delivers. */
    interface Nature {
        boolean canAct();

        void act();
    }

    /** What to do when nothing happens any more, or something went wrong. */
    interface Course {
        /** Returns false if that was the end. */
        boolean onIdle();

        /** Has the threads end. Called once. */
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

    /** What happens later doesn't happen: time goes no further. */
    private long horizonNanos;

    private long nowNanos;
    private int natureWeight = 1;
    private volatile int steps;

    private int maxSteps = MAX_STEPS;

    /** After a failure. */
    private boolean isEnding;

    /** The first thing that went wrong; null if nothing did. */
    private volatile Throwable failure;

    /** Null while nobody runs. */
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

        /** Set before the first hand-over. */
        SimulatedThread thread;

        int weight = 1;

        /** Null while the thread could go on. */
        BooleanSupplier condition;

        /** Null for none. */
        Long deadlineNanos;

        boolean isEnded;

        /** Whether it waits for the baton, or has got it and not noticed yet: on a busy machine that takes its time. */
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

    // ---- set-up and end, by the test's thread -----------------------------------------------------------------------

    /** Runs each task on a new thread of the simulation; its name in the trace is the title with a number. */
    Executor executor(String title) {
        AtomicInteger last = new AtomicInteger();
        return task -> {
            Actor actor = new Actor(title + "-" + last.incrementAndGet(), task);
            actors.add(actor);
            actor.thread = SimulatedThread.start("simulated-" + actor.title, actor);
        };
    }

    /** Runs the simulation to its end; throws what went wrong. */
    void run(long timeoutSeconds) throws Throwable {
        try {
            for (Actor actor : actors) {
                if (!actor.arrived.await(timeoutSeconds, TimeUnit.SECONDS)) {
                    throw new AssertionError(actor.title + " did not reach its first system call");
                }
            }
            newWeights();
            give(choose());
            awaitEnd(timeoutSeconds * maxSteps / MAX_STEPS); // more steps may take more time
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a simulation ran", e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void awaitEnd(long timeoutSeconds) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        int looks = 0;
        int seenSteps = -1;
        while (!ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            boolean isWaiting = steps == seenSteps && isHolderWaiting() && !isHolderOnItsWay();
            looks = isWaiting ? looks + 1 : 0;
            seenSteps = steps;
            if (looks == BLOCKED_LOOKS) {
                throw stuck("a handler or task blocks for real, which no seed can determine: use the network's timer");
            }
            if (System.nanoTime() - deadline > 0) {
                throw stuck("no end after " + timeoutSeconds + " s");
            }
        }
    }

    private boolean isHolderWaiting() {
        Actor running = holder;
        if (running == null || running.isAwaitingBaton) {
            return false;
        }
        Thread.State state = running.thread.getState();
        return state == Thread.State.TIMED_WAITING || state == Thread.State.WAITING || state == Thread.State.BLOCKED;
    }

    /** Whether it was given the baton, and the machine has not let it run yet. */
    private boolean isHolderOnItsWay() {
        Actor running = holder;
        StackTraceElement[] stack = running == null ? new StackTraceElement[0] : running.thread.getStackTrace();
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getClassName().equals(Baton.class.getName())
                        && frame.getMethodName().equals("awaitBaton"));
    }

    /** With the stack of the thread that runs. */
    private AssertionError stuck(String why) {
        Actor running = holder;
        StackTraceElement[] stack = running == null ? new StackTraceElement[0] : running.thread.getStackTrace();
        AssertionError stuck = new AssertionError(why + placeIn(stack));
        if (running != null) {
            stuck.setStackTrace(stack);
        }
        fail(stuck); // so that the threads end, should it go on
        return stuck;
    }

    /** The innermost line that isn't the JDK's. */
    private static String placeIn(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getModuleName() == null || !frame.getModuleName().startsWith("java.")) {
                return "\n    at " + frame;
            }
        }
        return "";
    }

    // ---- for the thread that holds the baton ------------------------------------------------------------------------

    /** A point at which another thread may go on. */
    void pass() {
        Actor me = me();
        if (me == null) {
            noteStranger();
            return;
        }
        if (holder != me) { // not started
            me.arrived.countDown();
            awaitBaton(me);
        } else if (draw.chance(faults.switching())) {
            passOn(me);
        }
    }

    /** The starter sets the run up; any other thread that isn't of the simulation makes what happens depend on the machine. */
    private void noteStranger() {
        Thread stranger = Thread.currentThread();
        if (stranger != starter) {
            fail(new AssertionError("the thread \"" + stranger.getName() + "\" uses the simulated network, but no seed"
                    + " determines when: don't start threads in handlers" + placeIn(strangersStack())));
        }
    }

    /** From the first frame outside the library on. */
    private static StackTraceElement[] strangersStack() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith("org.freshet."))
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .toArray(StackTraceElement[]::new));
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

    /** Ends the simulation as failed, unless it has failed before. */
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

    /** Gives what follows as much time as what came before. */
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
            return; // the last line is where it happened
        }
        Actor me = holder;
        trace.add(me == null ? "network" : me.title, nowNanos - startNanos, what, first, second);
    }

    /** The threads that have not ended. */
    List<String> left() {
        return actors.stream()
                .filter(actor -> !actor.isEnded)
                .map(actor -> actor.title)
                .toList();
    }

    // ---- passing ----------------------------------------------------------------------------------------------------

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

    /** Returns who goes on; null at the end. */
    private Actor choose() {
        Actor caller = holder;
        holder = null; // what follows is nobody's doing
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
                fail(new AssertionError("no end after " + maxSteps + " steps"));
            } else if (steps > 2 * maxSteps) {
                return null; // and leaves its threads behind
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
