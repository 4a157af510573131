package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The account of a stream, which is a part of its connection's. */
class StreamAccountTest {
    private static final int LIMIT = 100 * 1024;
    private static final long PIECE = 40 * 1024;
    private static final long REST = LIMIT - 2 * PIECE;

    private final List<Channel> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Channel::close);
    }

    private MemoryChannel open(WriteOverflow policy) {
        MemoryChannel channel = MemoryChannel.connected().limit(LIMIT, policy);
        opened.add(channel);
        return channel;
    }

    /** A connection on which two pieces wait: a third would exceed its limit. */
    private MemoryChannel full(WriteOverflow policy) {
        MemoryChannel channel = open(policy);
        assertNull(channel.admitWrite(PIECE));
        assertNull(WriteAccount.admit(channel, PIECE));
        return channel;
    }

    private static void sendOnePiece(MemoryChannel channel) {
        channel.releaseWrite(PIECE);
        channel.updateWritability();
    }

    private static void assertWaiting(long bytes, AbstractChannel channel) {
        assertEquals(bytes, WriteAccount.waitingBytes(channel));
    }

    /** A channel whose data another one sends. Its own limit is not set. */
    private static class Stream extends MarkedChannel {
        final AbstractChannel connection;

        Stream(AbstractChannel connection) {
            this.connection = connection;
        }

        @Override
        protected AbstractChannel getSendingChannel() {
            return connection;
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
        BlockedWriter writer = BlockedWriter.waiting(() -> stream.admitWrite(PIECE));
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
        BlockedWriter writer = BlockedWriter.waiting(() -> stream.admitWrite(PIECE));
        stream.close();
        sendOnePiece(connection);
        writer.awaitRefusal();
        assertWaiting(PIECE, connection);
    }

    /** Handlers release what they held, whenever they learn of the close. */
    @Test
    void shouldSettleWithItsConnectionOnceWhateverHappensAfterTheClose() {
        MemoryChannel connection = full(WriteOverflow.FAIL);
        Stream stream = stream(connection);
        assertNull(stream.admitWrite(REST / 2));
        WriteAccount.charge(stream, REST / 2);
        assertWaiting(LIMIT, connection);
        assertTrue(stream.onClosed());
        assertWaiting(2 * PIECE, connection);
        assertFalse(stream.onClosed());
        stream.releaseWrite(REST / 2);
        WriteAccount.release(stream, REST / 2);
        WriteAccount.charge(stream, PIECE);
        assertWaiting(2 * PIECE, connection);
        WriteAccount.release(stream, PIECE);
        assertWaiting(2 * PIECE, connection);
    }

    @Test
    void shouldCountAStreamsBytesOnceForTheProcess() {
        long before = MemoryBudget.getQueuedBytes();
        Stream stream = stream(open(WriteOverflow.FAIL));
        stream.admitWrite(PIECE);
        assertEquals(before + PIECE, MemoryBudget.getQueuedBytes());
        stream.close();
        assertEquals(before, MemoryBudget.getQueuedBytes());
    }

    @Test
    void shouldUndoTheChargeOfAWriteIfItsConnectionFails() {
        FakeChannel failing = new FakeChannel() {
            @Override
            public boolean isWritable() {
                throw new IllegalStateException("for this test");
            }
        };
        opened.add(failing);
        Stream stream = stream(failing);
        assertThrows(IllegalStateException.class, () -> stream.admitWrite(PIECE));
        assertWaiting(0, stream);
        assertWaiting(0, failing);
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
        WriteAccount.charge(stream, PIECE);
        stream.updateWritabilityWithSender();
        assertEquals(List.of(), stream.announced, "it is writable");
        WriteAccount.release(stream, PIECE);
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
        assertEquals(List.of(), stream.announced);
    }
}
