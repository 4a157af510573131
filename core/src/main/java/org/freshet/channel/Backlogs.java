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
 * @param ofAll what all hold now, those included
 */
record Backlogs(List<Backlog> greatestFirst, long sum, LongSupplier ofAll) {
    /** Of the ceiling, what is left after the greatest were closed. */
    private static final int PERCENT_LEFT = 90;

    private static final int NAMED = 5;

    /** An attack can bring the budget to close channels a thousand times per second. */
    private static final PeerFaultLog LINES = new PeerFaultLog(System::nanoTime);

    record Backlog(AccountedChannel channel, long bytes) {
        @Override
        public String toString() {
            return bytes + " on " + channel;
        }
    }

    /**
     * Channels that are being closed do not count: they need no further reason.
     *
     * @param holders those that may have much
     * @param ofAll what all channels of the process hold now, in bytes
     */
    static Backlogs of(Collection<? extends AccountedChannel> holders, LongSupplier ofAll) {
        List<Backlog> backlogs = new ArrayList<>();
        long closing = 0;
        for (AccountedChannel holder : holders) {
            long bytes = holder.waitingBytes();
            if (holder.isOpen()) {
                backlogs.add(new Backlog(holder, bytes));
            } else {
                closing += bytes;
            }
        }
        backlogs.sort(Comparator.comparingLong(Backlog::bytes).reversed());
        // asked last: what is released meanwhile must not have another channel closed
        return new Backlogs(backlogs, ofAll.getAsLong() - closing, ofAll);
    }

    /** If all together are above the ceiling, closes the channels with the greatest backlogs; returns how many. */
    int closeGreatest(long limitBytes, InternalLogger logger) {
        long left = sum;
        int closed = 0;
        long aim = left > limitBytes ? limitBytes / 100 * PERCENT_LEFT : Long.MAX_VALUE;
        for (Backlog backlog : greatestFirst) {
            if (Math.min(left, ofAll.getAsLong()) <= aim) {
                break; // others may make room, too
            }
            left -= backlog.bytes;
            if (backlog.channel.isOpen()) {
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
        long omitted = LINES.admit();
        if (omitted < 0) {
            return;
        }
        String most = greatestFirst.stream().limit(NAMED).map(Backlog::toString).collect(Collectors.joining(", "));
        logger.warn(sum + " bytes wait to be sent, above the MemoryBudget (" + limitBytes + "); closed " + closed
                + " of " + greatestFirst.size() + " channels with much to send; most waits: " + most
                + PeerFaultLog.describe(omitted));
    }
}
