package org.freshet.channel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.freshet.internal.flight.Flight;
import org.freshet.logging.InternalLogger;

/**
 * What the channels that are not writable have to send at a moment, the greatest first. For one thread.
 *
 * @param sum of those channels, in bytes
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

    /** Those that are being closed do not count: they need no further reason. */
    static Backlogs of(Collection<?> channels) {
        List<Backlog> backlogs = new ArrayList<>();
        long sum = 0;
        for (Object candidate : channels) {
            // the bytes of a stream count for its connection
            if (candidate instanceof AbstractChannel channel && channel.isOpen() && channel.whole() == null) {
                long bytes = channel.waitingBytes();
                backlogs.add(new Backlog(channel, bytes));
                sum += bytes;
            }
        }
        backlogs.sort(Comparator.comparingLong(Backlog::bytes).reversed());
        return new Backlogs(backlogs, sum);
    }

    /** Closes the channels with the greatest backlogs; returns how many. */
    int closeGreatest(long limitBytes, InternalLogger logger) {
        long left = sum;
        int closed = 0;
        long aim = limitBytes / 100 * PERCENT_LEFT;
        while (left > aim && closed < greatestFirst.size() && greatestFirst.get(closed).bytes > 0) {
            Backlog backlog = greatestFirst.get(closed++);
            left -= backlog.bytes;
            close(backlog, limitBytes);
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
                backlog.bytes + " bytes waited, among the most, when all unwritable channels together had " + sum
                        + ", above the MemoryBudget (" + limitBytes
                        + "): write only while isWritable(), or set writeBufferLimit"));
        if (recorded != null) {
            Flight.overflowEnded(recorded, backlog.channel, "BUDGET", backlog.bytes, limitBytes);
        }
    }

    private void warn(long limitBytes, int closed, InternalLogger logger) {
        String most = greatestFirst.stream().limit(NAMED).map(Backlog::toString).collect(Collectors.joining(", "));
        logger.warn(sum + " bytes wait to be sent, above the MemoryBudget (" + limitBytes + "); closed " + closed
                + " of " + greatestFirst.size() + " channels that are not writable; most waits: " + most);
    }
}
