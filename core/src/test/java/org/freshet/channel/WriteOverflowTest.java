package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.internal.IoThreads;
import org.freshet.testing.Await;
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

    /** A thread that writes to a full channel, and has begun to wait. */
    private static final class Writer extends Thread {
        private final Supplier<Exception> write;
        private volatile Exception refusal;
        private volatile boolean wasInterrupted;

        private Writer(Supplier<Exception> write) {
            this.write = write;
        }

        static Writer waiting(Supplier<Exception> write) {
            Writer writer = new Writer(write);
            writer.start();
            Await.until(() -> writer.getState() == State.TIMED_WAITING, "a writer that waits");
            return writer;
        }

        @Override
        public void run() {
            refusal = write.get();
            wasInterrupted = isInterrupted();
        }

        Exception awaitRefusal() {
            Await.end(this);
            return refusal;
        }
    }

    private static void sendOnePiece(MemoryChannel channel) {
        channel.releaseWrite(PIECE);
        channel.updateWritability();
    }

    @Test
    void shouldBlockTheWriterUntilThereIsRoomInTheTransport() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        Writer writer = Writer.waiting(() -> channel.admitWrite(PIECE));
        assertWaiting(2 * PIECE, channel);
        sendOnePiece(channel);
        assertNull(writer.awaitRefusal());
        assertWaiting(2 * PIECE, channel);
        assertEquals(PIECE, WriteAccount.queuedBytes(channel), "the piece that waited");
    }

    @Test
    void shouldBlockAHandlersMessageUntilThereIsRoom() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        Writer writer = Writer.waiting(() -> WriteAccount.admit(channel, PIECE));
        sendOnePiece(channel);
        assertNull(writer.awaitRefusal());
        assertWaiting(2 * PIECE, channel);
        assertEquals(0, WriteAccount.queuedBytes(channel), "a handler holds both");
    }

    @Test
    void shouldKeepAnInterruptOfABlockedWriter() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        Writer writer = Writer.waiting(() -> channel.admitWrite(PIECE));
        writer.interrupt();
        sendOnePiece(channel);
        assertNull(writer.awaitRefusal(), "an interrupt doesn't end the wait");
        assertTrue(writer.wasInterrupted);
        Writer undisturbed = Writer.waiting(() -> channel.admitWrite(PIECE));
        sendOnePiece(channel);
        undisturbed.awaitRefusal();
        assertFalse(undisturbed.wasInterrupted);
    }

    @Test
    void shouldRefuseABlockedWriteWhenTheChannelCloses() {
        MemoryChannel channel = full(WriteOverflow.BLOCK);
        Writer writer = Writer.waiting(() -> channel.admitWrite(PIECE));
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

    // ---- a stream of a connection -----------------------------------------------------------------------------------

    /** A channel whose data another one sends. Its own limit is not set. */
    private static class Stream extends FakeChannel implements WriteMarks {
        final AbstractChannel connection;
        final List<Boolean> announced = new ArrayList<>();

        Stream(AbstractChannel connection) {
            this.connection = connection;
        }

        @Override
        protected AbstractChannel getSendingChannel() {
            return connection;
        }

        @Override
        protected void fireWritabilityChanged() {
            announced.add(isWritable());
        }

        @Override
        public int highWaterMark() {
            return 64 * 1024;
        }

        @Override
        public int lowWaterMark() {
            return 32 * 1024;
        }

        @Override
        public int limitBytes() {
            return 0;
        }
    }

    private Stream stream(AbstractChannel connection) {
        Stream stream = new Stream(connection);
        opened.add(stream);
        return stream;
    }

    @Test
    void shouldFailAStreamsWriteByTheLimitAndPolicyOfItsConnection() {
        MemoryChannel connection = full(WriteOverflow.FAIL);
        Stream stream = stream(connection);
        assertNull(stream.admitWrite(REST / 2));
        assertWaiting(2 * PIECE + REST / 2, connection);
        assertTrue(WriteAccount.hasRoomFor(stream, REST / 2));
        assertFalse(WriteAccount.hasRoomFor(stream, REST / 2 + 1));
        WriteOverflowException refusal =
                assertInstanceOf(WriteOverflowException.class, stream.admitWrite(REST / 2 + 1));
        assertEquals(2 * PIECE + REST / 2, refusal.getPendingBytes());
        assertNull(stream.admitWrite(REST / 2));
        assertWaiting(REST, stream);
        assertWaiting(LIMIT, connection);
        stream.releaseWrite(REST);
        assertWaiting(2 * PIECE, connection);
    }

    @Test
    void shouldCloseTheConnectionThatAStreamOverflows() {
        MemoryChannel connection = full(WriteOverflow.CLOSE);
        Stream stream = stream(connection);
        assertInstanceOf(ChannelClosedException.class, stream.admitWrite(PIECE));
        assertEquals(Kind.OVERFLOW, connection.getCloseReason().kind());
    }

    @Test
    void shouldBlockAStreamsWriterUntilItsConnectionHasRoom() {
        MemoryChannel connection = full(WriteOverflow.BLOCK);
        Stream stream = stream(connection);
        Writer writer = Writer.waiting(() -> stream.admitWrite(PIECE));
        sendOnePiece(connection);
        assertNull(writer.awaitRefusal());
        assertWaiting(PIECE, stream);
        assertWaiting(2 * PIECE, connection);
        stream.close();
        assertWaiting(PIECE, connection);
    }

    /** What waits on it then is lost anyway, and must not count for its connection. */
    @Test
    void shouldNotChargeTheConnectionForAClosedStreamThatWasBlocked() {
        MemoryChannel connection = full(WriteOverflow.BLOCK);
        Stream stream = stream(connection);
        Writer writer = Writer.waiting(() -> stream.admitWrite(PIECE));
        stream.close();
        sendOnePiece(connection);
        writer.awaitRefusal();
        assertWaiting(PIECE, connection);
    }

    @Test
    void shouldNotBeWritableWhileItsConnectionIsNot() {
        MemoryChannel connection = open(WriteOverflow.FAIL);
        Stream stream = stream(connection);
        assertTrue(WriteAccount.isWritableBelow(stream.getPipeline().getContext(SimpleChannelUpstreamHandler.class)));
        connection.turnWritable(false);
        stream.updateWritabilityWithSender();
        assertFalse(stream.isWritable());
        assertFalse(WriteAccount.hasRoomBelow(stream.getPipeline().getContext(SimpleChannelUpstreamHandler.class)));
        assertEquals(List.of(false), stream.announced);
        connection.turnWritable(true);
        stream.updateWritabilityWithSender();
        assertTrue(stream.isWritable());
        assertEquals(List.of(false, true), stream.announced);
    }

    /** A handler that feeds the stream may go on, although what it holds keeps the stream unwritable. */
    @Test
    void shouldNotifyAFeederWhenItsConnectionIsWritableAgain() {
        MemoryChannel connection = MemoryChannel.connected();
        opened.add(connection);
        Stream stream = stream(connection);
        stream.setUserDefinedWritability(1, false);
        stream.announced.clear();
        stream.updateWritabilityWithSender();
        assertEquals(List.of(), stream.announced, "nothing is held that a feeder could go on with");
        WriteAccount.charge(stream, PIECE);
        stream.announced.clear();
        stream.updateWritabilityWithSender();
        assertEquals(List.of(false), stream.announced);
        connection.turnWritable(false);
        stream.announced.clear();
        stream.updateWritabilityWithSender();
        assertFalse(stream.announced.contains(true));
    }
}
