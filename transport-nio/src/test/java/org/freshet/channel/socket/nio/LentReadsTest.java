package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;

/** Which reads are lent, and to which handlers. */
class LentReadsTest extends LendingContract {
    // ---- what is lent, and to whom ----

    @Test
    void shouldShowTheBytesReadThroughEveryMethod() throws Exception {
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
            byte[] bytes = new byte[lent.readableBytes()];
            lent.getBytes(0, bytes);
            assertTrue(isOfChunks(bytes));
            ByteBuffer expected = ByteBuffer.wrap(bytes).order(lent.order());
            ByteBuffer target = ByteBuffer.allocate(bytes.length);
            lent.getBytes(0, target);
            assertEquals(expected, target.flip());
            assertEquals(expected, lent.copy().toByteBuffer());
            assertEquals(expected.getInt(5), lent.getInt(5));
            assertEquals(expected.getLong(9), lent.slice(5, 20).getLong(4));
            assertEquals(ChannelBuffers.wrappedBuffer(bytes), lent);
            assertEquals(ChannelBuffers.wrappedBuffer(bytes, 3, 30), lent.slice(3, 30));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> lent.slice(3, 30).getByte(30));
            assertThrows(IndexOutOfBoundsException.class, () -> lent.getByte(lent.capacity()));
            lent.setInt(5, 0x01020304);
            expected.putInt(5, 0x01020304);
            assertEquals(expected, lent.copy().toByteBuffer());
            target.clear();
            lent.getBytes(0, target);
            assertEquals(expected, target.flip());
            lent.getBytes(0, bytes);
            assertEquals(expected, ByteBuffer.wrap(bytes));
        });
        lendTo(borrowing, borrowing);
    }

    @Test
    void shouldLendThroughHandlersThatPassMessagesOn() throws Exception {
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {});
        FakeTimer timer = new FakeTimer();
        lendTo(
                borrowing,
                new SimpleChannelDownstreamHandler(),
                new SimpleChannelUpstreamHandler() {},
                new ReadTimeoutHandler(timer, 100),
                borrowing);
    }

    /** Inherits no mark. */
    private static final class Unmarked extends Borrowing {
        final List<Object> messages = new ArrayList<>();

        Unmarked() {
            super((ctx, e, lent) -> {});
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            messages.add(Channels.borrow(e));
            assertSame(e.getMessage(), Channels.borrow(e));
            super.messageReceived(ctx, e);
        }
    }

    @Test
    void shouldLendNothingToASubclassOfABorrower() throws Exception {
        Unmarked unmarked = new Unmarked();
        sendTwenty(rig.bind(pipeline(unmarked), Map.of()));
        assertAreTwentySeparateCopies(unmarked.messages);
        assertFalse(unmarked.lent.isDone());
    }

    @Test
    void shouldLendNothingThroughAHandlerThatMayKeepIt() throws Exception {
        List<Object> messages = new ArrayList<>();
        SimpleChannelUpstreamHandler unknown = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                messages.add(Channels.borrow(e));
                ctx.sendUpstream(e);
            }
        };
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {});
        sendTwenty(rig.bind(pipeline(unknown, borrowing), Map.of()));
        assertAreTwentySeparateCopies(messages);
        assertFalse(borrowing.lent.isDone());
    }

    // ---- unmarked handlers ----

    /** An unmarked handler may keep its buffers forever, even with a borrower below it. */
    @Test
    void shouldNeverChangeABufferThatAnUnmarkedHandlerKeeps() throws Exception {
        List<ChannelBuffer> kept = new ArrayList<>();
        List<Integer> hashes = new ArrayList<>();
        @ChannelHandler.Borrower
        class Mixed extends SimpleChannelUpstreamHandler {
            private int received;

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                switch (received++ % 3) {
                    case 0 -> ctx.sendUpstream(e);
                    case 1 -> {
                        e.getChannel().write(Channels.borrow(e));
                        ctx.sendUpstream(e);
                    }
                    default -> {
                        ChannelBuffer lent = (ChannelBuffer) Channels.borrow(e);
                        Channels.fireMessageReceived(ctx, lent.copy());
                        lent.setByte(0, lent.getByte(0) + 1);
                    }
                }
            }
        }
        SimpleChannelUpstreamHandler unmarked = new SimpleChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof MessageEvent message) {
                    ChannelBuffer buffer = (ChannelBuffer) message.getMessage();
                    kept.add(buffer);
                    hashes.add(buffer.hashCode());
                }
                super.handleUpstream(ctx, e);
            }
        };
        Channel server = rig.bind(pipeline(new Mixed(), unmarked), Map.of());
        int chunks = 500;
        byte[] sent = new byte[5000];
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            Thread reader = new Thread(() -> {
                try {
                    peer.readToEnd();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            reader.start();
            for (int i = 0; i < chunks; i++) {
                random.nextBytes(sent);
                peer.send(sent);
            }
            peer.endOutput();
            Await.end(reader);
        }
        assertEquals(
                (long) chunks * sent.length,
                kept.stream().mapToLong(ChannelBuffer::readableBytes).sum());
        for (int i = 0; i < kept.size(); i++) {
            assertEquals(hashes.get(i), kept.get(i).hashCode());
        }
    }
}
