package org.freshet.channel.socket.nio;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hard limit on queued writes. The peers read nothing until the script says so. */
class WriteOverflowTest {
    private static final int LIMIT = 256 * 1024;
    private static final int PIECE = 16 * 1024;

    /** More pieces than the limit and the kernel's buffers together hold. */
    private static final int FLOOD = 10_000;

    private final Rig rig = new Rig();
    private final Recorder accepted = new Recorder();
    private ScriptedPeer peer;

    @AfterEach
    void release() throws Exception {
        peer.close();
        rig.close();
    }

    private void connect(WriteOverflow policy, Map<String, Object> further) throws Exception {
        Map<String, Object> options = new HashMap<>(further);
        options.put("child.sendBufferSize", 8 * 1024);
        options.put("child.writeBufferLimit", LIMIT);
        options.put("child.writeOverflow", policy);
        Channel server = rig.bind(() -> Channels.pipeline(accepted), options);
        peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024);
    }

    private void connect(WriteOverflow policy) throws Exception {
        connect(policy, Map.of());
    }

    private static ChannelFuture writePiece(Channel channel) {
        return channel.write(wrappedBuffer(new byte[PIECE]));
    }

    private static long queuedBytes(Channel channel) {
        return WriteAccount.queuedBytes(channel);
    }

    /** Writes until the channel closes; returns the futures. */
    private static List<ChannelFuture> flood(Channel channel) {
        List<ChannelFuture> writes = new ArrayList<>();
        for (int i = 0; i < FLOOD && channel.isOpen(); i++) {
            writes.add(writePiece(channel));
            assertTrue(queuedBytes(channel) <= LIMIT, "more is queued than the limit");
        }
        return writes;
    }

    private static void assertClosedByOverflow(Channel channel, List<ChannelFuture> writes) {
        Await.done(channel.getCloseFuture(), "the close");
        CloseReason reason = channel.getCloseReason();
        assertEquals(Kind.OVERFLOW, reason.kind());
        assertTrue(reason.detail().contains("writeBufferLimit (" + LIMIT + ")"), reason::detail);
        assertTrue(reason.detail().contains("isWritable()"), reason::detail);
        Throwable last = Await.failure(writes.get(writes.size() - 1), "the write beyond the limit");
        assertEquals(
                reason, assertInstanceOf(ChannelClosedException.class, last).getReason());
        writes.forEach(write -> Await.done(write, "a write"));
        Await.until(() -> queuedBytes(channel) == 0, "the end of the queue");
    }

    @Test
    void shouldCloseWithAReasonWhenAnotherThreadWritesMoreThanTheLimit() throws Exception {
        connect(WriteOverflow.CLOSE);
        Channel channel = accepted.awaitConnected();
        assertClosedByOverflow(channel, flood(channel));
    }

    @Test
    void shouldCloseWithAReasonWhenTheLoopWritesMoreThanTheLimit() throws Exception {
        connect(WriteOverflow.CLOSE);
        Channel channel = accepted.awaitConnected();
        List<ChannelFuture> writes = new ArrayList<>();
        Rig.onLoop(channel, () -> writes.addAll(flood(channel)));
        assertClosedByOverflow(channel, writes);
    }

    /** The loop is busy elsewhere, so nothing is sent and nothing closes the socket; the limit still applies. */
    @Test
    void shouldQueueNoMoreAfterTheOverflowWhileTheLoopIsBlocked() throws Exception {
        connect(WriteOverflow.CLOSE);
        Channel channel = accepted.awaitConnected();
        List<ChannelFuture> late = new ArrayList<>();
        Rig.holding(channel, () -> {
            flood(channel);
            assertFalse(channel.isOpen());
            for (int i = 0; i < 100; i++) {
                late.add(writePiece(channel));
                assertTrue(queuedBytes(channel) <= LIMIT);
            }
        });
        late.forEach(write -> assertInstanceOf(ChannelClosedException.class, Await.failure(write, "a late write")));
    }

    @Test
    void shouldAcceptOneMessageOfAnySizeWhileNothingElseIsQueued() throws Exception {
        connect(WriteOverflow.CLOSE);
        Channel channel = accepted.awaitConnected();
        ChannelFuture large = channel.write(wrappedBuffer(new byte[8 * LIMIT]));
        peer.read(8 * LIMIT);
        Await.success(large, "a message above the limit");
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldFailOnlyThatWriteAndContinue() throws Exception {
        connect(WriteOverflow.FAIL);
        Channel channel = accepted.awaitConnected();
        List<ChannelFuture> queued = new ArrayList<>();
        ChannelFuture refused = null;
        for (int i = 0; i < FLOOD && refused == null; i++) {
            ChannelFuture written = writePiece(channel);
            if (written.isDone() && !written.isSuccess()) {
                refused = written;
            } else {
                queued.add(written);
            }
        }
        WriteOverflowException failure =
                assertInstanceOf(WriteOverflowException.class, Await.failure(refused, "the refused write"));
        assertEquals(LIMIT, failure.getLimitBytes());
        assertTrue(failure.getPendingBytes() > LIMIT - PIECE, failure::getMessage);
        assertTrue(failure.getMessage().contains("writeBufferLimit"), failure::getMessage);
        peer.read(queued.size() * PIECE);
        queued.forEach(write -> Await.success(write, "a write below the limit"));
        assertTrue(channel.isOpen());
        ChannelFuture later = writePiece(channel);
        peer.read(PIECE);
        Await.success(later, "a write after the refusal");
    }

    @Test
    void shouldBlockWritersUntilThePeerReads() throws Exception {
        int each = 100;
        int writers = 3;
        connect(WriteOverflow.BLOCK);
        Channel channel = accepted.awaitConnected();
        AtomicLong most = new AtomicLong();
        List<ChannelFuture> lastWrites = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < writers; t++) {
            threads.add(new Thread(() -> {
                ChannelFuture last = null;
                for (int i = 0; i < each; i++) {
                    last = writePiece(channel);
                    most.accumulateAndGet(queuedBytes(channel), Math::max);
                }
                synchronized (lastWrites) {
                    lastWrites.add(last);
                }
            }));
        }
        threads.forEach(Thread::start);
        peer.read(writers * each * PIECE);
        threads.forEach(Await::end);
        lastWrites.forEach(write -> Await.success(write, "the last write of a thread"));
        // Each thread may be seen counting a message that it then takes back.
        assertTrue(most.get() <= LIMIT + writers * PIECE, most::toString);
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldWakeABlockedWriterWhenTheChannelCloses() throws Exception {
        connect(WriteOverflow.BLOCK);
        Channel channel = accepted.awaitConnected();
        List<ChannelFuture> writes = new ArrayList<>();
        Thread writer = new Thread(() -> writes.addAll(flood(channel)));
        writer.start();
        Await.until(() -> !channel.isWritable(), "congestion");
        Await.success(channel.close(), "the close");
        Await.end(writer);
        assertTrue(writes.size() < FLOOD, "the writer was not blocked");
        assertInstanceOf(
                ChannelClosedException.class, Await.failure(writes.get(writes.size() - 1), "the blocked write"));
    }

    @Test
    void shouldKeepTheInterruptOfABlockedWriter() throws Exception {
        connect(WriteOverflow.BLOCK);
        Channel channel = accepted.awaitConnected();
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread writer = new Thread(() -> {
            Thread.currentThread().interrupt();
            flood(channel);
            if (Thread.interrupted()) {
                interrupted.countDown();
            }
        });
        writer.start();
        Await.until(() -> !channel.isWritable(), "congestion");
        Await.success(channel.close(), "the close");
        Await.end(writer);
        Await.latch(interrupted, "the preserved interrupt");
    }

    @Test
    void shouldCloseInsteadOfBlockingAnIoThread() throws Exception {
        connect(WriteOverflow.BLOCK);
        Channel channel = accepted.awaitConnected();
        List<ChannelFuture> writes = new ArrayList<>();
        Rig.onLoop(channel, () -> writes.addAll(flood(channel)));
        assertClosedByOverflow(channel, writes);
    }

    @Test
    void shouldCloseAChannelWhosePeerReadsNothing() throws Exception {
        connect(WriteOverflow.CLOSE, Map.of("child.writeStallTimeoutMillis", 40));
        Channel channel = accepted.awaitConnected();
        ChannelFuture large = channel.write(wrappedBuffer(new byte[32 * LIMIT]));
        ChannelClosedException failure =
                assertInstanceOf(ChannelClosedException.class, Await.failure(large, "the write"));
        assertEquals(Kind.TIMED_OUT, failure.getReason().kind());
        assertTrue(failure.getMessage().contains("writeStallTimeoutMillis"), failure::getMessage);
        Await.done(channel.getCloseFuture(), "the close");
    }

    /** The kernel accepts single bytes immediately, so the channel is never checked. */
    @Test
    void shouldKeepAChannelOpenWhosePeerKeepsUp() throws Exception {
        connect(WriteOverflow.CLOSE, Map.of("child.writeStallTimeoutMillis", 1));
        Channel channel = accepted.awaitConnected();
        for (int i = 0; i < 100; i++) {
            Await.success(channel.write(wrappedBuffer(new byte[1])), "a write that the kernel accepts");
        }
        assertNull(channel.getCloseReason());
    }
}
