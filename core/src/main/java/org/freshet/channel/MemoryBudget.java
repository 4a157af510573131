package org.freshet.channel;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.freshet.internal.CongestedChannels;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A ceiling for all that waits to be sent in this process. Above it, the channels with the longest backlogs are closed with {@link
 * CloseReason.Kind#OVERFLOW}, until 90 percent of it are left, instead of all of them dying of an {@link OutOfMemoryError}.
 *
 * <p>What is counted are the bytes of channels that are not {@linkplain Channel#isWritable() writable}, in the transport and in handlers
 * such as {@code SslHandler}, and what {@link #add} was given. Writable channels have at most their high water mark each. The
 * count is taken every 100 ms while there is such a channel, on a thread of the JDK's common pool, and never otherwise; it costs neither
 * a message nor a connection anything.
 *
 * <p>The ceiling is half of the largest possible heap, or what {@code -Dorg.freshet.writeBudget} says in bytes. It is the last resort:
 * bound each channel by {@link ChannelOption#WRITE_BUFFER_LIMIT}. Any thread may call.
 */
public final class MemoryBudget {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryBudget.class);

    private static final long LOOK_MILLIS = 100;

    /** A pause takes at least so many times the time that the look before it took. */
    private static final int MAX_SHARE = 20;

    private static final AtomicBoolean IS_LOOKING = new AtomicBoolean();
    private static final Map<String, LongSupplier> FURTHER = new ConcurrentHashMap<>();
    private static final LongAdder CLOSED = new LongAdder();

    private static volatile long limitBytes =
            Long.getLong("org.freshet.writeBudget", Runtime.getRuntime().maxMemory() / 2);

    private MemoryBudget() {}

    /** In bytes; 0 for none. */
    public static long getLimit() {
        return limitBytes;
    }

    /**
     * Sets the ceiling.
     *
     * @param bytes 0 or more, where 0 means none
     */
    public static void setLimit(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes < 0: " + bytes);
        }
        limitBytes = bytes;
        if (!CongestedChannels.isEmpty()) {
            onCongested();
        }
    }

    /**
     * Has other memory count that holds messages on their way, such as an executor's queue. It is looked at only while channels are not
     * writable.
     *
     * @param name for the log; replaces what had the name
     * @param bytes must be quick; null to remove it
     */
    public static void add(String name, LongSupplier bytes) {
        Objects.requireNonNull(name, "name");
        if (bytes == null) {
            FURTHER.remove(name);
        } else {
            FURTHER.put(name, bytes);
        }
    }

    /** The bytes that count now. Looks at each channel that is not writable. */
    public static long getQueuedBytes() {
        return Backlogs.of(CongestedChannels.now(), FURTHER).sum();
    }

    /** The bytes that wait to be sent on one channel now, in the transport and in handlers. */
    public static long getQueuedBytes(Channel channel) {
        return Backlogs.bytesOf(channel);
    }

    /** The number of channels that are not writable now. */
    public static int getCongestedChannels() {
        return CongestedChannels.now().size();
    }

    /** The channels that were closed because of the ceiling so far. */
    public static long getClosed() {
        return CLOSED.sum();
    }

    /** A channel is not writable any more. */
    static void onCongested() {
        if (limitBytes > 0 && !IS_LOOKING.get() && IS_LOOKING.compareAndSet(false, true)) {
            lookIn(LOOK_MILLIS);
        }
    }

    private static void lookIn(long millis) {
        try {
            CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(MemoryBudget::lookOnce);
        } catch (RuntimeException | Error e) { // for want of threads; the next congested channel tries again
            IS_LOOKING.set(false);
            logger.warn("what waits to be sent is not bounded for the moment", e);
        }
    }

    private static void lookOnce() {
        long beganNanos = System.nanoTime();
        try {
            look(limitBytes);
        } catch (RuntimeException | Error e) {
            logger.error("the count of what waits to be sent failed and goes on", e);
        }
        if (limitBytes > 0 && !CongestedChannels.isEmpty()) {
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
            lookIn(Math.max(LOOK_MILLIS, MAX_SHARE * tookMillis));
            return;
        }
        IS_LOOKING.set(false);
        if (!CongestedChannels.isEmpty()) {
            onCongested(); // for one that came before that
        }
    }

    private static void look(long limit) {
        Backlogs backlogs = Backlogs.of(CongestedChannels.now(), FURTHER);
        if (limit > 0 && backlogs.sum() > limit) {
            CLOSED.add(backlogs.closeGreatest(limit));
        }
    }
}
