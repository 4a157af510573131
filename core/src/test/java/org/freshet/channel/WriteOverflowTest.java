package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.internal.IoThreads;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens to a write that doesn't fit, whether the transport or a handler takes it. */
class WriteOverflowTest {
    private static final int LIMIT = 100 * 1024;
    private static final long PIECE = 40 * 1024;
    private static final long BUDGET = 4L << 20;
    private static final long REST = LIMIT - 2 * PIECE;

    private final long budgetBefore = MemoryBudget.getLimit();
    private final List<Channel> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Channel::close);
        MemoryBudget.setLimit(budgetBefore);
    }

    /** A channel on which two pieces wait: a third would exceed its limit. */
    private MemoryChannel full(WriteOverflow policy) {
        MemoryChannel channel = open(policy);
        assertNull(channel.admitWrite(PIECE));
        assertNull(WriteAccount.admit(channel, PIECE));
        return channel;
    }

    private MemoryChannel open(WriteOverflow policy) {
        MemoryChannel channel = MemoryChannel.connected().limit(LIMIT, policy);
        opened.add(channel);
        return channel;
    }

    /** Exhausts the process's budget: a channel that is closing has yet to release what it holds. */
    private void exhaustBudget() {
        FakeChannel closing = new FakeChannel();
        opened.add(closing);
        WriteAccount.charge(closing, 4 * BUDGET);
        closing.setClosing();
        MemoryBudget.setLimit(BUDGET);
    }

    private static void assertWaiting(long bytes, AbstractChannel channel) {
        assertEquals(bytes, WriteAccount.waitingBytes(channel));
    }

    // ---- the limit --------------------------------------------------------------------------------------------------

    @Test
    void shouldTakeWritesUpToTheLimit() {
        MemoryChannel channel = full(WriteOverflow.FAIL);
        assertTrue(WriteAccount.hasRoomFor(channel, REST));
        assertFalse(WriteAccount.hasRoomFor(channel, REST + 1));
        assertInstanceOf(WriteOverflowException.class, channel.admitWrite(REST + 1));
        assertNull(channel.admitWrite(REST));
        assertWaiting(LIMIT, channel);
        assertInstanceOf(WriteOverflowException.class, WriteAccount.admit(channel, 1));
        assertWaiting(LIMIT, channel);
    }

    @Test
    void shouldNotLimitWritesWhoseWritersWait() {
        MemoryChannel channel = full(WriteOverflow.FAIL);
        assertNull(channel.admitWaitingWrite(PIECE));
        assertWaiting(3 * PIECE, channel);
    }

    @Test
    void shouldRefuseAlsoWritesWhoseWritersWaitWhileTheBudgetIsExhausted() {
        MemoryChannel channel = full(WriteOverflow.FAIL);
        exhaustBudget();
        assertInstanceOf(WriteOverflowException.class, channel.admitWaitingWrite(PIECE));
        assertWaiting(2 * PIECE, channel);
    }

    /** A part of a protocol, such as the end of a message that was begun. */
    @Test
    void shouldTakeAMessageThatMustBeSentWhateverTheLimit() throws Exception {
        MemoryChannel channel = open(WriteOverflow.FAIL);
        assertNull(channel.admitWrite(2 * PIECE));
        WriteAccount.passOn(channel, 0, () -> assertNull(channel.admitWrite(PIECE)));
        assertWaiting(3 * PIECE, channel);
    }

    @Test
    void shouldNeverCountAMessageTwiceWhileItIsHandedOver() throws Exception {
        MemoryChannel channel = open(WriteOverflow.FAIL);
        WriteAccount.charge(channel, PIECE);
        WriteAccount.passOn(channel, PIECE, () -> {
            WriteAccount.charge(channel, PIECE);
            assertWaiting(PIECE, channel);
        });
        WriteAccount.passOn(channel, PIECE, () -> {
            channel.admitWrite(PIECE);
            assertWaiting(PIECE, channel);
        });
        assertWaiting(PIECE, channel);
    }

    @Test
    void shouldHaveNoLimitUnlessOneIsSet() {
        MemoryChannel channel = MemoryChannel.connected();
        opened.add(channel);
        for (int i = 0; i < 10; i++) {
            assertNull(channel.admitWrite(PIECE));
        }
        assertWaiting(10 * PIECE, channel);
    }

    // ---- FAIL -------------------------------------------------------------------------------------------------------

    @Test
    void shouldSayHowMuchWaitsAndWhatTheLimitIs() {
        MemoryChannel channel = full(WriteOverflow.FAIL);
        WriteOverflowException refusal =
                assertInstanceOf(WriteOverflowException.class, WriteAccount.admit(channel, PIECE));
        assertEquals(2 * PIECE, refusal.getPendingBytes());
        assertEquals(LIMIT, refusal.getLimitBytes());
        assertEquals(
                "the write is refused: 81920 bytes wait to be sent and 40960 more would exceed writeBufferLimit (102400):"
                        + " the peer reads too slowly; write only while isWritable(), or set a higher limit",
                refusal.getMessage());
        assertTrue(channel.isOpen());
        assertWaiting(2 * PIECE, channel);
        assertEquals(PIECE, WriteAccount.queuedBytes(channel));
    }

    @Test
    void shouldFailWithTheReasonOfTheCloseOnceTheChannelIsClosed() {
        for (WriteOverflow policy : WriteOverflow.values()) {
            MemoryChannel channel = full(policy);
            channel.close(CloseReason.of(Kind.PEER_CLOSED, "gone", null));
            Exception refusal = channel.admitWrite(PIECE);
            assertEquals(
                    Kind.PEER_CLOSED,
                    assertInstanceOf(ChannelClosedException.class, refusal)
                            .getReason()
                            .kind());
        }
    }

    // ---- CLOSE ------------------------------------------------------------------------------------------------------

    @Test
    void shouldCloseTheChannelAndSayWhy() {
        MemoryChannel channel = full(WriteOverflow.CLOSE);
        long closedByBudget = MemoryBudget.getClosed();
        assertInstanceOf(ChannelClosedException.class, channel.admitWrite(PIECE));
        assertFalse(channel.isOpen());
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
        assertTrue(
                channel.getCloseReason().detail().startsWith("81920 bytes wait to be sent and 40960 more would exceed"),
                channel.getCloseReason().detail());
        assertEquals(closedByBudget, MemoryBudget.getClosed(), "the budget had nothing to do with it");
    }

    /** Its limit would have been large enough, but the process has no room left. */
    @Test
    void shouldNameTheBudgetIfThatRefusesTheWrite() {
        MemoryChannel channel = full(WriteOverflow.FAIL);
        exhaustBudget();
        Exception refusal = channel.admitWrite(REST);
        String text = assertInstanceOf(WriteOverflowException.class, refusal).getMessage();
        assertTrue(
                text.contains("exceed the channel's share of the MemoryBudget (" + BUDGET + " for all channels)"),
                text);
        String ofLimit = channel.admitWrite(PIECE).getMessage();
        assertTrue(ofLimit.contains("exceed writeBufferLimit"), "its own limit is exceeded too: " + ofLimit);
    }

    @Test
    void shouldCountAChannelThatTheBudgetClosed() {
        MemoryChannel channel = MemoryChannel.connected();
        assertNull(channel.admitWrite(3 * PIECE));
        exhaustBudget();
        long closedBefore = MemoryBudget.getClosed();
        assertInstanceOf(ChannelClosedException.class, channel.admitWrite(PIECE));
        assertTrue(channel.getCloseReason().detail().contains("MemoryBudget"));
        assertEquals(closedBefore + 1, MemoryBudget.getClosed());
        assertInstanceOf(ChannelClosedException.class, channel.admitWrite(PIECE));
        assertEquals(closedBefore + 1, MemoryBudget.getClosed(), "it is closed already");
    }

    @Test
    void shouldAdmitWhatIsHandedOverOrFitsAShareWhileTheBudgetIsExhausted() throws Exception {
        MemoryChannel channel = full(WriteOverflow.FAIL);
        exhaustBudget();
        WriteAccount.passOn(channel, PIECE, () -> assertNull(channel.admitWrite(PIECE)));
        assertWaiting(2 * PIECE, channel);
        assertEquals(2 * PIECE, WriteAccount.queuedBytes(channel));
        MemoryChannel idle = open(WriteOverflow.FAIL);
        assertNull(idle.admitWrite(1024));
        assertNull(WriteAccount.admit(idle, 1024));
        assertWaiting(2048, idle);
        FakeChannel unmarked = new FakeChannel();
        opened.add(unmarked);
        assertNull(unmarked.admitWrite(1024));
        assertNull(unmarked.admitWrite(1024));
        assertWaiting(2048, unmarked);
    }

    // ---- BLOCK ------------------------------------------------------------------------------------------------------

    private static void sendOnePiece(MemoryChannel channel) {
        channel.releaseWrite(PIECE);
        channel.updateWritability();
    }

    @Test
    void shouldBlockTheWriterUntilThereIsRoomInTheTransport() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        BlockedWriter writer = BlockedWriter.waiting(() -> channel.admitWrite(PIECE));
        assertWaiting(2 * PIECE, channel);
        sendOnePiece(channel);
        assertNull(writer.awaitRefusal());
        assertWaiting(2 * PIECE, channel);
        assertEquals(PIECE, WriteAccount.queuedBytes(channel), "the piece that waited");
    }

    @Test
    void shouldBlockAHandlersMessageUntilThereIsRoom() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        BlockedWriter writer = BlockedWriter.waiting(() -> WriteAccount.admit(channel, PIECE));
        sendOnePiece(channel);
        assertNull(writer.awaitRefusal());
        assertWaiting(2 * PIECE, channel);
        assertEquals(0, WriteAccount.queuedBytes(channel), "a handler holds both");
    }

    @Test
    void shouldBeUnwritableAfterABlockedWriteThatExceedsTheMark() {
        MemoryChannel channel = open(WriteOverflow.BLOCK);
        channel.admitWrite(2 * PIECE);
        BlockedWriter writer = BlockedWriter.waiting(() -> channel.admitWrite(2 * PIECE));
        channel.releaseWrite(2 * PIECE);
        channel.updateWritability();
        assertNull(writer.awaitRefusal());
        assertFalse(channel.isWritable());
    }

    @Test
    void shouldKeepAnInterruptOfABlockedWriter() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        BlockedWriter writer = BlockedWriter.waiting(() -> channel.admitWrite(PIECE));
        writer.interrupt();
        sendOnePiece(channel);
        assertNull(writer.awaitRefusal(), "an interrupt doesn't end the wait");
        assertTrue(writer.wasInterrupted);
        BlockedWriter undisturbed = BlockedWriter.waiting(() -> channel.admitWrite(PIECE));
        sendOnePiece(channel);
        undisturbed.awaitRefusal();
        assertFalse(undisturbed.wasInterrupted);
    }

    @Test
    void shouldRefuseABlockedWriteWhenTheChannelCloses() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        BlockedWriter writer = BlockedWriter.waiting(() -> channel.admitWrite(PIECE));
        channel.close(CloseReason.of(Kind.PEER_CLOSED, "gone", null));
        assertEquals(
                Kind.PEER_CLOSED,
                assertInstanceOf(ChannelClosedException.class, writer.awaitRefusal())
                        .getReason()
                        .kind());
    }

    /** It would wait for itself. */
    @Test
    void shouldCloseInsteadOfBlockingAnIoThread() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        IoThreads.begin();
        try {
            assertInstanceOf(ChannelClosedException.class, channel.admitWrite(PIECE));
        } finally {
            IoThreads.end();
        }
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
    }
}
