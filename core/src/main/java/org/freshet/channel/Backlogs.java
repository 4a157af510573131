package org.freshet.channel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.freshet.internal.HoldsBytes;
import org.freshet.internal.QueuedBytes;
import org.freshet.internal.flight.Flight;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * What channels have to send at a moment, the greatest first. For one thread.
 *
 * @param sum of the channels and of what else counts, in bytes
 */
record Backlogs(List<Backlog> greatestFirst, long sum) {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryBudget.class);

    /** Of the ceiling, what is left after the greatest were closed. */
    private static final int PERCENT_LEFT = 90;

    private static final int NAMED = 5;

    record Backlog(AbstractChannel channel, long bytes) {
        @Override
        public String toString() {
            return bytes + " on " + channel;
        }
    }

    /** Those that are being closed do not count: they need no further reason. */
    static Backlogs of(Collection<QueuedBytes> channels, Map<String, LongSupplier> further) {
        List<Backlog> backlogs = new ArrayList<>();
        long sum = 0;
        for (QueuedBytes queue : channels) {
            if (queue instanceof AbstractChannel channel && channel.isOpen()) {
                long bytes = bytesOf(channel);
                backlogs.add(new Backlog(channel, bytes));
                sum += bytes;
            }
        }
        for (LongSupplier other : further.values()) {
            sum += Math.max(0, other.getAsLong());
        }
        backlogs.sort(Comparator.comparingLong(Backlog::bytes).reversed());
        return new Backlogs(backlogs, sum);
    }

    /** In the transport, and in the handlers. */
    static long bytesOf(Channel channel) {
        long sum = channel instanceof QueuedBytes queue ? queue.queuedBytes() : 0;
        for (ChannelHandler handler : channel.getPipeline().toMap().values()) {
            if (handler instanceof HoldsBytes holder) {
                sum += holder.heldBytes(channel);
            }
        }
        return sum;
    }

    /** Closes the channels with the greatest backlogs; returns how many. */
    int closeGreatest(long limitBytes) {
        long left = sum;
        int closed = 0;
        long aim = limitBytes / 100 * PERCENT_LEFT;
        while (left > aim && closed < greatestFirst.size() && greatestFirst.get(closed).bytes > 0) {
            Backlog backlog = greatestFirst.get(closed++);
            left -= backlog.bytes;
            Object recorded = Flight.overflowBegan();
            backlog.channel.giveUp(CloseReason.of(
                    CloseReason.Kind.OVERFLOW,
                    backlog.bytes + " bytes waited, among the most, when all channels together had " + sum
                            + ", above the MemoryBudget (" + limitBytes
                            + "): write only while isWritable(), or set writeBufferLimit"));
            if (recorded != null) {
                Flight.overflowEnded(recorded, backlog.channel, "BUDGET", backlog.bytes, limitBytes);
            }
        }
        warn(limitBytes, closed);
        return closed;
    }

    private void warn(long limitBytes, int closed) {
        String most = greatestFirst.stream().limit(NAMED).map(Backlog::toString).collect(Collectors.joining(", "));
        logger.warn(sum + " bytes wait to be sent, above the MemoryBudget (" + limitBytes + "); closed " + closed
                + " of " + greatestFirst.size() + " channels that are not writable; most waits: " + most);
    }
}
