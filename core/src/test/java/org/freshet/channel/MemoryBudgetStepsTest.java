package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Which writes are refused how far above the ceiling. The channels here ignore requests to close, so what waits stays
 * the same.
 */
class MemoryBudgetStepsTest {
    private static final long CEILING = 4_096_000;
    private static final long STEP = 4096;

    /** In units of 32 bytes. */
    private static final long SMALL = (16 * 1024 + WriteAccount.MESSAGE_BYTES) / 32;

    private static final long MUCH = 64 * 1024 / 32;
    private static final long UNCOUNTED = STEP / 32 - 1;
    private static final long HIGH_MARK = Long.MAX_VALUE;

    private final long limitBefore = MemoryBudget.getLimit();
    private final CapturedLog log = CapturedLog.start();
    private final List<PaperChannel> channels = new ArrayList<>();

    @AfterEach
    void restore() {
        MemoryBudget.setLimit(limitBefore);
        channels.forEach(PaperChannel::closeNow);
        log.close();
    }

    /** Sets the ceiling and lets so many bytes wait on a new channel that their total is this share of it. */
    private void fillTo(int percent, long moreBytes) {
        MemoryBudget.setLimit(CEILING);
        PaperChannel channel = new PaperChannel();
        channels.add(channel);
        long total = CEILING / 100 * percent + moreBytes;
        WriteAccount.charge(channel, total - MemoryBudget.getQueuedBytes());
        assertEquals(total, MemoryBudget.getQueuedBytes());
        assertEquals(1, Holders.count());
    }

    private static boolean hasRoom(long before, long units) {
        return MemoryBudget.hasRoom(before, units, HIGH_MARK);
    }

    /** Of the single channel that has a backlog. */
    private static final long SHARE = CEILING / 32;

    @Test
    void shouldRefuseNothingUpToTwoPercent() {
        fillTo(102, 0);
        assertFalse(MemoryBudget.isExhausted());
        assertTrue(hasRoom(SHARE, SHARE));
    }

    @Test
    void shouldRefuseWritesBeyondTheShareFromThere() {
        fillTo(102, STEP);
        assertTrue(MemoryBudget.isExhausted());
        assertFalse(hasRoom(1, SHARE));
        assertTrue(hasRoom(1, SHARE - 1), "it would hold just its share");
        assertTrue(hasRoom(0, SHARE + 1), "nothing else waits there");
        assertTrue(hasRoom(MUCH, SMALL));
        assertFalse(hasRoom(SHARE, SMALL), "much waits, so small messages count, too");
    }

    @Test
    void shouldAlsoRefuseLargeMessagesAboveFourPercent() {
        fillTo(104, 0);
        assertTrue(hasRoom(0, SMALL + 1));
        assertTrue(hasRoom(1, SMALL + 1));
        MemoryBudget.setLimit(CEILING - 100);
        assertFalse(hasRoom(0, SMALL + 1));
        assertFalse(hasRoom(1, SMALL + 1));
        assertTrue(hasRoom(0, SMALL));
        assertTrue(hasRoom(MUCH, SMALL));
        assertFalse(hasRoom(MUCH + 1, SMALL));
    }

    @Test
    void shouldJudgeSmallMessagesByALowerHighWaterMark() {
        fillTo(104, STEP);
        assertTrue(MemoryBudget.hasRoom(1000, SMALL, 1000));
        assertFalse(MemoryBudget.hasRoom(1001, SMALL, 1000));
    }

    @Test
    void shouldRefuseAllButAFewKibAboveTenPercent() {
        fillTo(110, 0);
        assertTrue(hasRoom(MUCH, SMALL));
        MemoryBudget.setLimit(CEILING - 100);
        assertFalse(hasRoom(MUCH, SMALL));
        assertFalse(hasRoom(1, UNCOUNTED));
        assertTrue(hasRoom(0, UNCOUNTED));
        assertFalse(hasRoom(0, UNCOUNTED + 1));
    }

    @Test
    void shouldRefuseNothingWithoutACeiling() {
        fillTo(110, STEP);
        MemoryBudget.setLimit(0);
        assertFalse(MemoryBudget.isExhausted());
        assertTrue(hasRoom(SHARE, SHARE));
        assertEquals(0, MemoryBudget.ceilingBytes());
    }

    @Test
    void shouldDivideTheCeilingAmongTheChannelsWithBacklogs() {
        fillTo(51, 0);
        PaperChannel other = new PaperChannel();
        channels.add(other);
        WriteAccount.charge(other, CEILING / 100 * 102 + STEP - MemoryBudget.getQueuedBytes());
        assertEquals(2, Holders.count());
        assertTrue(hasRoom(1, SHARE / 2 - 1));
        assertFalse(hasRoom(1, SHARE / 2));
    }

    // ---- what is known ----

    private PaperChannel holding(long bytes) {
        PaperChannel channel = new PaperChannel();
        channels.add(channel);
        WriteAccount.charge(channel, bytes);
        return channel;
    }

    @Test
    void shouldKnowChannelsWithMuchWhateverTheTotalIs() {
        MemoryBudget.setLimit(CEILING);
        assertFalse(Holders.contains(holding(64 * 1024 - 32)));
        assertTrue(Holders.contains(holding(64 * 1024)));
    }

    @Test
    void shouldKnowAllChannelsThatGrowOnceHalfTheCeilingIsReached() {
        MemoryBudget.setLimit(CEILING);
        holding(CEILING / 2 - 2 * STEP);
        assertFalse(Holders.contains(holding(2 * STEP)), "exactly half");
        PaperChannel beyond = holding(STEP);
        assertTrue(Holders.contains(beyond));
        WriteAccount.release(beyond, 1);
        assertFalse(Holders.contains(beyond), "it has less than a step");
    }

    /** If the heap fills then, the channels that filled it must be known, whatever the ceiling is. */
    @Test
    void shouldKnowAllChannelsThatGrowOnceASixteenthOfTheHeapWaits() {
        MemoryBudget.setLimit(0);
        long sixteenth = Runtime.getRuntime().maxMemory() / 8 / 2 / STEP * STEP;
        holding(sixteenth - 2 * STEP - MemoryBudget.getQueuedBytes());
        assertFalse(Holders.contains(holding(STEP)));
        PaperChannel unknown = holding(STEP);
        assertFalse(Holders.contains(unknown), "not yet more than that");
        assertTrue(Holders.contains(holding(STEP)));
        assertFalse(Holders.contains(unknown), "it has not grown since");
        WriteAccount.charge(unknown, STEP);
        assertTrue(Holders.contains(unknown));
    }

    @Test
    void shouldCountWholeStepsOfEachChannel() {
        long before = MemoryBudget.getQueuedBytes();
        PaperChannel channel = holding(STEP - 32);
        assertEquals(before, MemoryBudget.getQueuedBytes());
        WriteAccount.charge(channel, 32);
        assertEquals(before + STEP, MemoryBudget.getQueuedBytes());
        WriteAccount.release(channel, 32);
        assertEquals(before, MemoryBudget.getQueuedBytes());
        assertEquals(STEP - 32, MemoryBudget.getQueuedBytes(channel));
    }
}
