package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.testing.Allocations;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More channels have backlogs than a list of them has memory for, so the largest are found one by one. */
class BacklogsTest {
    /** A list of so many takes more than the 2 MiB that are kept for a full heap. */
    private static final int HOLDERS = 45_000;

    private static final int MIB = 1024 * 1024;
    private static final int MOST_CLOSED = 100;

    private final List<MemoryChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(AbstractChannel::setClosed);
    }

    private MemoryChannel holding(int bytes) {
        MemoryChannel channel = MemoryChannel.connected().holdWrites();
        channels.add(channel);
        WriteAccount.charge(channel, bytes);
        return channel;
    }

    /** The last channel again and again, until there are enough. */
    private List<MemoryChannel> holders() {
        return new AbstractList<>() {
            @Override
            public MemoryChannel get(int index) {
                return channels.get(Math.min(index, channels.size() - 1));
            }

            @Override
            public int size() {
                return HOLDERS;
            }
        };
    }

    private long sum() {
        return channels.stream().mapToLong(AccountedChannel::waitingBytes).sum();
    }

    @Test
    void shouldCloseTheLargestUntilTheRestIsWellBelowTheCeiling() {
        MemoryChannel second = holding(3 * MIB);
        MemoryChannel small = holding(MIB);
        MemoryChannel greatest = holding(4 * MIB);
        MemoryChannel last = holding(MIB);
        AtomicInteger closed = new AtomicInteger();
        long allocatedBytes =
                Allocations.bytesOf(() -> closed.set(Backlogs.closeOneByOne(holders(), this::sum, 3 * MIB)));
        assertEquals(2, closed.get());
        assertTrue(allocatedBytes < MIB, () -> allocatedBytes + " bytes");
        assertFalse(greatest.isOpen());
        assertFalse(second.isOpen());
        assertTrue(small.isOpen());
        assertTrue(last.isOpen());
        assertEquals(CloseReason.Kind.OVERFLOW, greatest.getCloseReason().kind());
    }

    @Test
    void shouldCloseNoMoreThanHundredAtATime() {
        for (int i = 0; i < 2 * MOST_CLOSED; i++) {
            holding(MIB);
        }
        assertEquals(MOST_CLOSED, Backlogs.closeOneByOne(holders(), this::sum, MIB));
    }

    @Test
    void shouldCloseNoneIfTheSumIsBelowTheCeiling() {
        MemoryChannel only = holding(MIB);
        assertEquals(0, Backlogs.closeOneByOne(holders(), this::sum, 2 * MIB));
        assertTrue(only.isOpen());
    }

    // ---- a snapshot ----

    private Backlogs snapshot() {
        return Backlogs.of(channels, this::sum);
    }

    private static int close(Backlogs backlogs, long limitBytes) {
        try (CapturedLog log = CapturedLog.start()) {
            int closed = backlogs.closeGreatest(limitBytes, InternalLoggerFactory.getInstance(MemoryBudget.class));
            assertTrue(closed > 0 || log.messages().isEmpty(), log.messages()::toString);
            return closed;
        }
    }

    @Test
    void shouldWarnAndNameTheFiveLargest() {
        for (int i = 1; i <= 6; i++) {
            holding(i * 3200);
        }
        try (CapturedLog log = CapturedLog.start()) {
            assertEquals(2, snapshot().closeGreatest(45_000, InternalLoggerFactory.getInstance(MemoryBudget.class)));
            String largest = IntStream.of(5, 4, 3, 2, 1)
                    .mapToObj(i -> (i + 1) * 3200 + " on " + channels.get(i))
                    .collect(Collectors.joining(", "));
            assertEquals(
                    "67200 bytes wait to be sent, above the MemoryBudget (45000); closed 2 of 6 channels with a large"
                            + " backlog; largest: " + largest,
                    log.only().text());
        }
        assertEquals(
                "19200 bytes waited to be sent, one of the largest backlogs while all channels together had 67200, above"
                        + " the MemoryBudget (45000): write only while isWritable(), or set writeBufferLimit",
                channels.get(5).getCloseReason().detail());
    }

    @Test
    void shouldCloseJustEnoughToGetDownToNinetyPercent() {
        MemoryChannel half = holding(28_800);
        MemoryChannel greatest = holding(30_400);
        MemoryChannel otherHalf = holding(28_800);
        assertEquals(1, close(snapshot(), 64_000), "90 percent of it are left");
        assertFalse(greatest.isOpen());
        assertEquals(1, close(snapshot(), 57_500));
        assertTrue(half.isOpen() != otherHalf.isOpen());
    }

    @Test
    void shouldCloseNoneUpToTheCeiling() {
        holding(32_000);
        holding(32_000);
        assertEquals(0, close(snapshot(), 64_000));
        assertEquals(0, Backlogs.closeOneByOne(channels, this::sum, 64_000));
        assertEquals(1, close(snapshot(), 63_999));
    }

    @Test
    void shouldCloseJustEnoughOneByOne() {
        holding(28_800);
        holding(28_800);
        holding(30_400);
        assertEquals(1, Backlogs.closeOneByOne(channels, this::sum, 64_000));
        assertFalse(channels.get(2).isOpen());
    }

    @Test
    void shouldNotCountChannelsThatAreClosing() {
        MemoryChannel open = holding(32_000);
        holding(64_000).setClosed();
        assertEquals(32_000, snapshot().sum());
        assertEquals(1, snapshot().greatestFirst().size());
        assertEquals(0, close(snapshot(), 40_000));
        assertEquals(0, Backlogs.closeOneByOne(channels, this::sum, 40_000));
        assertTrue(open.isOpen());
    }

    @Test
    void shouldCloseNoneIfEnoughHasBeenSentSince() {
        MemoryChannel channel = holding(64_000);
        Backlogs backlogs = snapshot();
        WriteAccount.release(channel, 63_000);
        assertEquals(0, close(backlogs, 32_000));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldNotCountAChannelThatClosedSince() {
        MemoryChannel closed = holding(64_000);
        MemoryChannel open = holding(32_000);
        Backlogs backlogs = snapshot();
        closed.setClosed();
        assertEquals(0, close(backlogs, 40_000));
        assertTrue(open.isOpen());
    }

    @Test
    void shouldEndIfNoOpenChannelIsLeftToClose() {
        holding(32_000);
        assertEquals(1, Backlogs.closeOneByOne(channels, () -> 1_000_000, 100_000));
    }
}
