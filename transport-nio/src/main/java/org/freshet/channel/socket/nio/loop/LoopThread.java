package org.freshet.channel.socket.nio.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.internal.FieldHandles;
import org.freshet.internal.IoThreads;

/**
 * Which thread runs a loop, and how far it is.
 *
 * <pre>
 *   NEW --begin--&gt; RUNNING --stop--&gt; STOPPING --end--&gt; STOPPED
 *    '--abandon--------------------------------------------^
 * </pre>
 *
 * <p>Threading: {@link #abandon}, the getters and the waits may be called by any thread, the rest by the thread that runs the loop.
 */
public final class LoopThread {
    enum State {
        NEW,
        RUNNING,
        STOPPING,
        STOPPED
    }

    private static final ThreadLocal<LoopThread> CURRENT = new ThreadLocal<>();
    private static final VarHandle STATE = FieldHandles.of(MethodHandles.lookup(), "state", State.class);

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile State state = State.NEW;

    /** Null before the loop has begun and after it has ended. */
    private volatile Thread thread;

    // ---- any thread -------------------------------------------------------------------------------------------------

    /** Null before the loop has begun and after it has ended. */
    public Thread get() {
        return thread;
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Whether the caller is the thread of any loop at all. */
    public static boolean isAnyCurrent() {
        return CURRENT.get() != null;
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    public boolean awaitStarted(long timeoutNanos) throws InterruptedException {
        return started.await(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    /** Waits without end, because an interrupted caller would leave sockets open; the interrupt is kept. */
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

    /** Keeps the loop from ever running; returns false if it has begun. The caller cleans up, and then calls {@link #end}. */
    public boolean abandon() {
        return STATE.compareAndSet(this, State.NEW, State.STOPPED);
    }

    // ---- the loop's thread ------------------------------------------------------------------------------------------

    /** Makes the caller the loop's thread; false if the loop was abandoned before it got one. */
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
        IoThreads.begin();
    }

    public void detach() {
        CURRENT.remove();
        IoThreads.end();
        thread = null;
    }

    public void stop() {
        if (state != State.STOPPED) {
            state = State.STOPPING;
        }
    }

    /** Ends what {@link #awaitStopped} waits for. */
    public void end() {
        state = State.STOPPED;
        if (isCurrent()) {
            detach();
        }
        stopped.countDown();
    }
}
