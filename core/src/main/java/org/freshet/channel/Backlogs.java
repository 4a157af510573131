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
 * A snapshot of the channels with a large backlog, largest first. Not thread-safe.
 *
 * @param sum the backlog of all channels of the process in bytes, without those that are closing
 * @param ofAll the current backlog of all channels, including those
 */
record Backlogs(List<Backlog> greatestFirst, long sum, LongSupplier ofAll) {
    /** The percentage of the ceiling to get down to by closing the largest. */
    private static final int PERCENT_LEFT = 90;

    private static final int NAMED = 5;

    /** Each takes a pass over all channels. */
    private static final int MOST_ONE_BY_ONE = 100;

    /** Throttled: an attack can make the budget close channels a thousand times per second. */
    private static final PeerFaultLog LINES = new PeerFaultLog(System::nanoTime);

    record Backlog(AccountedChannel channel, long bytes) {
        @Override
        public String toString() {
            return bytes + " on " + channel;
        }
    }

    /**
     * Takes a snapshot. Channels that are closing don't count: there is no need to close them again.
     *
     * @param holders the channels that may have a large backlog
     * @param ofAll returns the current backlog of all channels of the process, in bytes
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
        // read last, so that bytes released in the meantime don't get another channel closed
        return new Backlogs(backlogs, ofAll.getAsLong() - closing, ofAll);
    }

    /** If the total is above the ceiling, closes the channels with the largest backlogs; returns how many it closed. */
    int closeGreatest(long limitBytes, InternalLogger logger) {
        long left = sum;
        int closed = 0;
        long aim = left > limitBytes ? limitBytes / 100 * PERCENT_LEFT : Long.MAX_VALUE;
        for (Backlog backlog : greatestFirst) {
            if (Math.min(left, ofAll.getAsLong()) <= aim) {
                break; // channels that send also make room
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

    /**
     * Closes the channels with the largest backlogs one by one, because there is no memory for a snapshot of all. Closes at most
     * {@value #MOST_ONE_BY_ONE}: by then there is.
     *
     * @return how many it closed
     */
    static int closeOneByOne(Iterable<? extends AccountedChannel> holders, LongSupplier ofAll, long limitBytes) {
        Backlogs unlisted = new Backlogs(List.of(), ofAll.getAsLong() - closingBytes(holders), ofAll);
        long left = unlisted.sum;
        long aim = left > limitBytes ? limitBytes / 100 * PERCENT_LEFT : Long.MAX_VALUE;
        int closed = 0;
        while (closed < MOST_ONE_BY_ONE && Math.min(left, ofAll.getAsLong()) > aim) {
            AccountedChannel greatest = greatestOpen(holders);
            if (greatest == null) {
                break;
            }
            Backlog backlog = new Backlog(greatest, greatest.waitingBytes());
            left -= backlog.bytes;
            unlisted.close(backlog, limitBytes);
            closed++;
        }
        return closed;
    }

    private static long closingBytes(Iterable<? extends AccountedChannel> holders) {
        long closing = 0;
        for (AccountedChannel holder : holders) {
            closing += holder.isOpen() ? 0 : holder.waitingBytes();
        }
        return closing;
    }

    /** Returns null if none is open. */
    private static AccountedChannel greatestOpen(Iterable<? extends AccountedChannel> holders) {
        AccountedChannel greatest = null;
        long most = -1;
        for (AccountedChannel holder : holders) {
            long bytes = holder.waitingBytes();
            if (bytes > most && holder.isOpen()) {
                greatest = holder;
                most = bytes;
            }
        }
        return greatest;
    }

    private void close(Backlog backlog, long limitBytes) {
        Object recorded = Flight.overflowBegan();
        backlog.channel.giveUp(CloseReason.of(
                CloseReason.Kind.OVERFLOW,
                backlog.bytes + " bytes waited to be sent, one of the largest backlogs while all channels together had "
                        + sum
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
                + " of " + greatestFirst.size() + " channels with a large backlog; largest: " + most
                + PeerFaultLog.describe(omitted));
    }
}
