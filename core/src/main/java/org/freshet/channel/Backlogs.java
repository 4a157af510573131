package org.freshet.channel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.freshet.internal.flight.Flight;
import org.freshet.logging.InternalLogger;

/**
 * What the channels with much to send hold at a moment, the greatest first. For one thread.
 *
 * @param sum of all channels of the process, in bytes, but for those that are being closed
 */
record Backlogs(List<Backlog> greatestFirst, long sum) {
    /** Of the ceiling, what is left after the greatest were closed. */
    private static final int PERCENT_LEFT = 90;

    private static final int NAMED = 5;

    record Backlog(AbstractChannel channel, long bytes) {
        @Override
        public String toString() {
            return bytes + " on " + channel;
        }
    }

    /**
     * Channels that are being closed do not count: they need no further reason.
     *
     * @param channels those that are congested
     * @param ofAll what all channels of the process hold, in bytes; asked last, so that what is released meanwhile counts twice rather than
     *     a channel being closed for it
     */
    static Backlogs of(Collection<?> channels, LongSupplier ofAll) {
        List<Backlog> backlogs = new ArrayList<>();
        long closing = 0;
        for (Object candidate : channels) {
            // the bytes of a stream count for its connection
            if (candidate instanceof AbstractChannel channel && channel.whole() == null) {
                long bytes = channel.waitingBytes();
                if (!channel.isOpen()) {
                    closing += bytes;
                } else if (bytes > 0) {
                    backlogs.add(new Backlog(channel, bytes));
                }
            }
        }
        backlogs.sort(Comparator.comparingLong(Backlog::bytes).reversed());
        return new Backlogs(backlogs, ofAll.getAsLong() - closing);
    }

    /** If all together are above the ceiling, closes the channels with the greatest backlogs; returns how many. */
    int closeGreatest(long limitBytes, InternalLogger logger) {
        if (sum <= limitBytes) {
            return 0;
        }
        long left = sum;
        int closed = 0;
        long aim = limitBytes / 100 * PERCENT_LEFT;
        for (int i = 0; i < greatestFirst.size() && left > aim; i++) {
            Backlog backlog = greatestFirst.get(i);
            left -= backlog.bytes;
            if (backlog.channel.isOpen()) { // it may have been closed meanwhile
                close(backlog, limitBytes);
                closed++;
            }
        }
        if (closed > 0) {
            warn(limitBytes, closed, logger);
        }
        return closed;
    }

    private void close(Backlog backlog, long limitBytes) {
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

    private void warn(long limitBytes, int closed, InternalLogger logger) {
        String most = greatestFirst.stream().limit(NAMED).map(Backlog::toString).collect(Collectors.joining(", "));
        logger.warn(sum + " bytes wait to be sent, above the MemoryBudget (" + limitBytes + "); closed " + closed
                + " of " + greatestFirst.size() + " channels with much to send; most waits: " + most);
    }
}
