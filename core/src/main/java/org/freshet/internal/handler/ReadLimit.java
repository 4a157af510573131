package org.freshet.internal.handler;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * One suspension of reading that begins when a count reaches its limit and ends when the count is low again. The caller
 * keeps the count; the thread that raises it calls {@link #suspend}, and threads that lower it call
 * {@link #resumeIfLow}, each after the change.
 *
 * <p>Any thread may call any method; none of them blocks. However the threads race, reading is not resumed while the
 * count is high, and does not stay suspended when it is low.
 */
public final class ReadLimit {
    private final ReadSuspension reading;
    private final BooleanSupplier isLow;
    private final AtomicBoolean suspended = new AtomicBoolean();

    /** @param isLow whether the count is so low that reading may go on */
    public ReadLimit(ReadSuspension reading, BooleanSupplier isLow) {
        this.reading = reading;
        this.isLow = isLow;
    }

    /** Suspends reading unless it is suspended here, or the count has become low meanwhile. */
    public void suspend() {
        if (suspended.compareAndSet(false, true)) {
            reading.suspend();
            resumeIfLow();
        }
    }

    /**
     * Resumes reading if it is suspended here and the count is low. Checks again after ending the suspension: since the
     * first check, another thread may have resumed reading, and the count may have reached the limit again.
     */
    public void resumeIfLow() {
        while (isLow.getAsBoolean() && suspended.compareAndSet(true, false)) {
            if (isLow.getAsBoolean() || !suspended.compareAndSet(false, true)) {
                reading.resume();
                return;
            }
        }
    }
}
