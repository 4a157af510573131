package org.freshet.channel.socket.nio.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.internal.IoThreads;
import org.freshet.internal.WakeUps;

/**
 * The thread that runs a loop, and the loop's life cycle.
 *
 * <pre>
 *   NEW --begin--&gt; RUNNING --stop--&gt; STOPPING --end--&gt; STOPPED
 *    '--abandon--------------------------------------------^
 * </pre>
 *
 * <p>Threading: any thread may call {@link #abandon}, the getters and the waits; the rest is for the thread that runs
 * the loop.
 */
public final class LoopThread {
    enum State {
        NEW,
        RUNNING,
        STOPPING,
        STOPPED
    }

    private static final ThreadLocal<LoopThread> CURRENT = new ThreadLocal<>();
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(LoopThread.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile State state = State.NEW;

    /** The loop's thread only. */
    private final WakeUps wakeUps = new WakeUps();

    /** Null before the loop has begun and after it has ended. */
    private volatile Thread thread;

    // ---- any thread -------------------------------------------------------------------------------------------------

    /** Returns null before the loop has begun and after it has ended. */
    public Thread get() {
        return thread;
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Returns whether the caller is the thread of any loop. */
    public static boolean isAnyCurrent() {
        return CURRENT.get() != null;
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    public boolean awaitStarted(long timeoutNanos) throws InterruptedException {
        return started.await(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Waits without a limit and despite interrupts: an interrupted caller would otherwise leave sockets open. The
     * interrupt is restored.
     */
    public void awaitStopped() {
        boolean interrupted = false;
        while (true) {
            try {
                stopped.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Keeps the loop from ever running. Returns false if it has begun. The caller cleans up and then calls
     * {@link #end}.
     */
    public boolean abandon() {
        return STATE.compareAndSet(this, State.NEW, State.STOPPED);
    }

    // ---- the loop's thread ------------------------------------------------------------------------------------------

    /** Makes the caller the loop's thread. Returns false if the loop was abandoned before it got one. */
    public boolean begin() {
        if (!STATE.compareAndSet(this, State.NEW, State.RUNNING)) {
            return false;
        }
        attach();
        started.countDown();
        return true;
    }

    /** Makes the caller the loop's thread. A test that runs several loops attaches one at a time. */
    public void attach() {
        thread = Thread.currentThread();
        CURRENT.set(this);
        IoThreads.begin(wakeUps);
    }

    public void detach() {
        CURRENT.remove();
        IoThreads.end();
        thread = null;
    }

    /** Returns the threads that the loop has to wake before it waits. */
    public WakeUps wakeUps() {
        return wakeUps;
    }

    public void stop() {
        if (state != State.STOPPED) {
            state = State.STOPPING;
        }
    }

    /** Releases threads waiting in {@link #awaitStopped}. */
    public void end() {
        state = State.STOPPED;
        if (isCurrent()) {
            detach();
        }
        stopped.countDown();
    }
}
