package org.freshet.handler.traffic;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.time.Alarm;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timer;

/**
 * Counts the bytes that a traffic shaping handler passes, exactly, and computes the throughput of each interval between
 * two checks.
 *
 * <pre>
 *   read / asked to write:   |---- last interval ----|-- current --&gt;
 *                            getLastReadBytes()      getCurrentReadBytes()
 *   ------------------- getCumulativeReadBytes() -------------------&gt;
 * </pre>
 *
 * <p>Any thread may call any method. Bytes count immediately. The numbers of the last interval change at a check, on
 * the timer's thread, one after another rather than atomically.
 */
public class TrafficCounter {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(TrafficCounter.class);
    private static final FailsafeLogMessage ACCOUNTING_THREW =
            FailsafeLogMessage.warning(logger, "doAccounting threw; it will be called again at the next check");

    private static final long MILLIS_PER_SECOND = 1000;

    final Pace readPace;
    final Pace writePace;

    private final AbstractTrafficShapingHandler handler;

    private final String name;

    private final AtomicLong currentReadBytes = new AtomicLong();
    private final AtomicLong currentWrittenBytes = new AtomicLong();
    private final AtomicLong realWrittenBytes = new AtomicLong();
    private final AtomicLong cumulativeReadBytes = new AtomicLong();
    private final AtomicLong cumulativeWrittenBytes = new AtomicLong();

    private volatile long lastReadBytes;
    private volatile long lastWrittenBytes;
    private volatile long lastReadThroughput;
    private volatile long lastWriteThroughput;
    private volatile long realWriteThroughput;
    private volatile long lastTimeMillis;
    private volatile long lastCumulativeTimeMillis;

    /** 0 or less means no checks. */
    private volatile long checkIntervalMillis;

    /** Held while an interval ends and while {@code active} changes, but not while the timer is called. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean active;

    /** Null if another counter performs the checks. */
    private final Alarm nextCheck;

    /**
     * Returns milliseconds of an arbitrary origin: the clock of {@link #getLastTime()} and of the {@code now}
     * parameters.
     */
    public static long milliSecondFromNano() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /**
     * Creates a counter. It counts immediately, but checks only after it is started.
     *
     * @param trafficShapingHandler its {@code doAccounting} is called at each check
     * @param timer may be null if this counter is never started
     * @param checkInterval milliseconds between two checks; 0 or less means no checks
     */
    public TrafficCounter(
            AbstractTrafficShapingHandler trafficShapingHandler, Timer timer, String name, long checkInterval) {
        this.handler = Objects.requireNonNull(trafficShapingHandler, "trafficShapingHandler");
        this.nextCheck = timer == null ? null : new Alarm(timer, Runnable::run, this::onCheckDue);
        this.name = Objects.requireNonNull(name, "name");
        this.checkIntervalMillis = checkInterval;
        this.readPace = new Pace(handler.timer().nanoTime());
        this.writePace = new Pace(handler.timer().nanoTime());
        this.lastTimeMillis = nowMillis();
        this.lastCumulativeTimeMillis = System.currentTimeMillis();
    }

    private long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(handler.timer().nanoTime());
    }

    // ---- checks ----

    /** Starts the checks, if there is an interval. Does nothing if already started. */
    public void start() {
        long now = nowMillis();
        lock.lock();
        try {
            if (active) {
                return;
            }
            active = true;
            lastTimeMillis = now;
        } finally {
            lock.unlock();
        }
        setTimer();
    }

    /** Performs a last check and stops. Does nothing if not started. */
    public void stop() {
        long now = nowMillis();
        lock.lock();
        try {
            if (!active) {
                return;
            }
            active = false;
            endInterval(now);
        } finally {
            lock.unlock();
        }
        setTimer();
        account();
    }

    /**
     * Changes the interval, from now on.
     *
     * @param newCheckInterval milliseconds; 0 or less means no checks
     */
    public void configure(long newCheckInterval) {
        if (checkIntervalMillis != newCheckInterval) {
            checkIntervalMillis = newCheckInterval;
            setTimer();
        }
    }

    private boolean hasChecks() {
        return active && checkIntervalMillis > 0;
    }

    /**
     * Not called under the lock. Checks again after cancelling, because another thread may have set the timer in
     * between.
     */
    private void setTimer() {
        if (!hasChecks() && nextCheck != null) {
            nextCheck.cancel();
        }
        if (hasChecks()) {
            Alarm alarm = Objects.requireNonNull(nextCheck, "this counter has no timer");
            alarm.set(TimeUnit.MILLISECONDS.toNanos(checkIntervalMillis));
        }
    }

    private void onCheckDue() {
        long now = nowMillis();
        lock.lock();
        try {
            if (!hasChecks()) {
                return;
            }
            endInterval(now);
        } finally {
            lock.unlock();
        }
        try {
            setTimer();
        } finally {
            account();
        }
    }

    /** Not called under the lock. */
    private void account() {
        try {
            handler.doAccounting(this);
        } catch (Throwable t) {
            ACCOUNTING_THREW.log(name, t);
        }
    }

    /** Moves the current numbers to the last interval. Called under the lock. */
    void endInterval(long now) {
        long elapsedMillis = now - lastTimeMillis;
        if (elapsedMillis <= 0) {
            return;
        }
        lastTimeMillis = now;
        lastReadBytes = currentReadBytes.getAndSet(0);
        lastWrittenBytes = currentWrittenBytes.getAndSet(0);
        lastReadThroughput = throughput(lastReadBytes, elapsedMillis);
        lastWriteThroughput = throughput(lastWrittenBytes, elapsedMillis);
        realWriteThroughput = throughput(realWrittenBytes.getAndSet(0), elapsedMillis);
    }

    private static long throughput(long bytes, long elapsedMillis) {
        return bytes * MILLIS_PER_SECOND / elapsedMillis;
    }

    // ---- counting ----

    void countRead(long bytes) {
        currentReadBytes.addAndGet(bytes);
        cumulativeReadBytes.addAndGet(bytes);
    }

    void countAskedToWrite(long bytes) {
        currentWrittenBytes.addAndGet(bytes);
        cumulativeWrittenBytes.addAndGet(bytes);
    }

    void countPassedOn(long bytes) {
        realWrittenBytes.addAndGet(bytes);
    }

    /** Same as {@link #readTimeToWait(long, long, long, long)} with the current time. */
    public long readTimeToWait(long size, long limitTraffic, long maxTime) {
        return readTimeToWait(size, limitTraffic, maxTime, nowMillis());
    }

    /**
     * Counts bytes that were read.
     *
     * @param size bytes
     * @param limitTraffic bytes per second; 0 or less means no limit
     * @param maxTime the longest time that these bytes may delay the next read, in milliseconds
     * @param now in milliseconds, see {@link #milliSecondFromNano()}
     * @return how long to stop reading, in milliseconds
     */
    public long readTimeToWait(long size, long limitTraffic, long maxTime, long now) {
        countRead(size);
        if (limitTraffic <= 0) {
            return 0;
        }
        long nowNanos = TimeUnit.MILLISECONDS.toNanos(now);
        long freeAt = readPace.occupy(size, limitTraffic, TimeUnit.MILLISECONDS.toNanos(maxTime), nowNanos, 0);
        return TimeUnit.NANOSECONDS.toMillis(Math.max(0, freeAt - nowNanos));
    }

    /** Same as {@link #writeTimeToWait(long, long, long, long)} with the current time. */
    public long writeTimeToWait(long size, long limitTraffic, long maxTime) {
        return writeTimeToWait(size, limitTraffic, maxTime, nowMillis());
    }

    /**
     * Counts bytes that are to be written.
     *
     * @param size bytes
     * @param limitTraffic bytes per second; 0 or less means no limit
     * @param maxTime the longest time that these bytes may delay the next write, in milliseconds
     * @param now in milliseconds, see {@link #milliSecondFromNano()}
     * @return how long these bytes should wait for earlier ones, in milliseconds
     */
    public long writeTimeToWait(long size, long limitTraffic, long maxTime, long now) {
        countAskedToWrite(size);
        if (limitTraffic <= 0) {
            return 0;
        }
        long nowNanos = TimeUnit.MILLISECONDS.toNanos(now);
        long waitNanos = writePace.waitNanos(nowNanos);
        writePace.occupy(size, limitTraffic, TimeUnit.MILLISECONDS.toNanos(maxTime), nowNanos, 0);
        return TimeUnit.NANOSECONDS.toMillis(waitNanos);
    }

    // ---- numbers ----

    /** Milliseconds between two checks; 0 or less means no checks. */
    public long getCheckInterval() {
        return checkIntervalMillis;
    }

    /** Bytes per second read in the last interval. */
    public long getLastReadThroughput() {
        return lastReadThroughput;
    }

    /** Bytes per second that the user asked to write in the last interval. */
    public long getLastWriteThroughput() {
        return lastWriteThroughput;
    }

    /** Bytes read in the last interval. */
    public long getLastReadBytes() {
        return lastReadBytes;
    }

    /** Bytes that the user asked to write in the last interval. */
    public long getLastWrittenBytes() {
        return lastWrittenBytes;
    }

    /** Bytes read since the last check. */
    public long getCurrentReadBytes() {
        return currentReadBytes.get();
    }

    /** Bytes that the user asked to write since the last check. */
    public long getCurrentWrittenBytes() {
        return currentWrittenBytes.get();
    }

    /** The time of the last check, as in {@link #milliSecondFromNano()}. */
    public long getLastTime() {
        return lastTimeMillis;
    }

    /** Bytes that the user asked to write since {@link #getLastCumulativeTime()}. */
    public long getCumulativeWrittenBytes() {
        return cumulativeWrittenBytes.get();
    }

    /** Bytes read since {@link #getLastCumulativeTime()}. */
    public long getCumulativeReadBytes() {
        return cumulativeReadBytes.get();
    }

    /** When the cumulative numbers were last 0, in milliseconds since 1970. */
    public long getLastCumulativeTime() {
        return lastCumulativeTimeMillis;
    }

    /** Bytes passed on since the last check, after any wait. */
    public AtomicLong getRealWrittenBytes() {
        return realWrittenBytes;
    }

    /** Bytes per second passed on in the last interval. */
    public long getRealWriteThroughput() {
        return realWriteThroughput;
    }

    /** Restarts the cumulative numbers at 0. */
    public void resetCumulativeTime() {
        lastCumulativeTimeMillis = System.currentTimeMillis();
        cumulativeReadBytes.set(0);
        cumulativeWrittenBytes.set(0);
    }

    public String getName() {
        return name;
    }

    @Override
    public String toString() {
        return name + "(last interval: read " + lastReadThroughput + " B/s, asked to write " + lastWriteThroughput
                + " B/s, written " + realWriteThroughput + " B/s; since: read " + currentReadBytes
                + " B, asked to write " + currentWrittenBytes + " B, written " + realWrittenBytes + " B)";
    }
}
