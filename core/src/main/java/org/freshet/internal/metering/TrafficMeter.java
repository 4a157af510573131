package org.freshet.internal.metering;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.internal.CongestedChannels;

/**
 * Counts a bootstrap's connections, their close reasons, and their bytes. The transports report the bytes of every channel; for a channel
 * that no meter follows, that costs the check of a flag.
 *
 * <p>Any thread may call any method.
 */
public final class TrafficMeter {
    private static final int REMEMBERED_CLOSES = 256;

    private static final ChannelLocal<Connection> OF_CHANNEL = new ChannelLocal<>();

    /** Whether there has ever been a meter. */
    private static volatile boolean isUsed;

    /**
     * What is measured on a channel.
     *
     * @param meter null for none
     * @param bytes the bytes of this channel alone; null if they are not counted
     */
    private record Connection(TrafficMeter meter, long beganNanos, Bytes bytes) {}

    /** The number of bytes a channel has received and sent. Any thread may call any method. */
    public static final class Bytes {
        private final AtomicLong read = new AtomicLong();
        private final AtomicLong written = new AtomicLong();

        public long read() {
            return read.get();
        }

        public long written() {
            return written.get();
        }
    }

    private final LongAdder opened = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder[] closed = new LongAdder[Kind.values().length];

    /** Lines, oldest first. Guarded by itself. */
    private final ArrayDeque<String> lastClosed = new ArrayDeque<>();

    public TrafficMeter() {
        for (int i = 0; i < closed.length; i++) {
            closed[i] = new LongAdder();
        }
    }

    /** Counts a channel from now on. */
    public void follow(Channel channel) {
        isUsed = true;
        opened.increment();
        OF_CHANNEL.set(channel, new Connection(this, System.nanoTime(), null));
        channel.getCloseFuture().addListener(done -> onClosed(channel));
    }

    /** Counts the bytes of one channel from now on, separately from any meter. */
    public static Bytes bytesOf(Channel channel) {
        isUsed = true;
        Connection before = OF_CHANNEL.get(channel);
        Bytes bytes = new Bytes();
        OF_CHANNEL.set(
                channel,
                before == null
                        ? new Connection(null, 0, bytes)
                        : new Connection(before.meter, before.beganNanos, bytes));
        return bytes;
    }

    private void onClosed(Channel channel) {
        CloseReason reason = channel.getCloseReason();
        closed[reason.kind().ordinal()].increment();
        String line = Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + channel + " " + reason;
        synchronized (lastClosed) {
            if (lastClosed.size() == REMEMBERED_CLOSES) {
                lastClosed.poll();
            }
            lastClosed.add(line);
        }
    }

    /** Returns the most recently closed channels and why they were closed, newest first. */
    public List<String> lastClosed() {
        List<String> lines;
        synchronized (lastClosed) {
            lines = new ArrayList<>(lastClosed);
        }
        Collections.reverse(lines);
        return lines;
    }

    /** Called by the transport when a channel has received bytes. */
    public static void read(Channel channel, long bytes) {
        if (isUsed) {
            Connection connection = OF_CHANNEL.get(channel);
            if (connection != null && connection.meter != null) {
                connection.meter.bytesRead.add(bytes);
            }
            if (connection != null && connection.bytes != null) {
                connection.bytes.read.addAndGet(bytes);
            }
        }
    }

    /** Called by the transport when a channel has sent bytes. */
    public static void written(Channel channel, long bytes) {
        if (isUsed) {
            Connection connection = OF_CHANNEL.get(channel);
            if (connection != null && connection.meter != null) {
                connection.meter.bytesWritten.add(bytes);
            }
            if (connection != null && connection.bytes != null) {
                connection.bytes.written.addAndGet(bytes);
            }
        }
    }

    public long opened() {
        return opened.sum();
    }

    public long open() {
        long ended = 0; // first: a channel that opens and closes in between must not count as minus one
        for (LongAdder count : closed) {
            ended += count.sum();
        }
        return opened.sum() - ended;
    }

    private boolean follows(Channel channel) {
        Connection connection = OF_CHANNEL.get(channel);
        return connection != null && connection.meter == this;
    }

    /** Returns the followed channels that are currently not writable. */
    public List<Channel> congested() {
        List<Channel> congested = new ArrayList<>();
        for (Object candidate : CongestedChannels.now()) {
            if (candidate instanceof Channel channel && follows(channel)) {
                congested.add(channel);
            }
        }
        return congested;
    }

    /** Returns how long the oldest open connection has been open; 0 if no connection is open. Looks at all channels. */
    public long oldestNanos(long nowNanos) {
        long oldest = 0;
        for (Map.Entry<Channel, Connection> entry : OF_CHANNEL) {
            Connection connection = entry.getValue();
            if (connection.meter == this && entry.getKey().isOpen()) {
                oldest = Math.max(oldest, nowNanos - connection.beganNanos);
            }
        }
        return oldest;
    }

    /** Returns the counts by the names of the kinds, without those that are 0. */
    public Map<String, Long> closedByReason() {
        Map<String, Long> counts = new TreeMap<>();
        for (Kind kind : Kind.values()) {
            long count = closed[kind.ordinal()].sum();
            if (count > 0) {
                counts.put(kind.name(), count);
            }
        }
        return counts;
    }

    public long bytesRead() {
        return bytesRead.sum();
    }

    public long bytesWritten() {
        return bytesWritten.sum();
    }
}
