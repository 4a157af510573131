package org.freshet.internal.transport;

import java.util.concurrent.Executor;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.time.SafetyTimer;

/**
 * The last steps of a channel that nothing closes a second time. If memory runs out before all are done, they begin again after a second.
 * Create it with the channel, which may close while there is no memory.
 *
 * <p>Any thread may call {@link #run}.
 */
public final class LastSteps {
    private final Executor close;
    private final Runnable events;
    private final Runnable forget;
    private final Runnable fireEvents = this::fireEvents;
    private final SafetyTimer.Pending again = SafetyTimer.spare(this::run);

    /**
     * All may be called again after an OutOfMemoryError.
     *
     * @param close closes the channel, and then runs its argument where the channel's events run
     * @param events fires the last events
     * @param forget called when they have been fired, or failed otherwise
     */
    public LastSteps(Executor close, Runnable events, Runnable forget) {
        this.close = close;
        this.events = events;
        this.forget = forget;
    }

    /** Never throws because memory is exhausted. */
    public void run() {
        try {
            close.execute(fireEvents);
        } catch (VirtualMachineError noMemory) {
            runAgain(noMemory);
        }
    }

    private void fireEvents() {
        boolean isOver = true;
        try {
            events.run();
        } catch (VirtualMachineError noMemory) {
            isOver = false;
            runAgain(noMemory);
        } finally {
            if (isOver) {
                forget.run();
            }
        }
    }

    private void runAgain(VirtualMachineError cause) {
        HeapReserve.onFailure(cause);
        again.retry();
    }
}
