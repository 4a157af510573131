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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class LoanEndTest extends LendingContract {
    @Test
    void shouldRefuseLateUseAndNameTheHandler() throws Exception {
        List<ChannelBuffer> kept = new ArrayList<>();
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
            kept.add(lent);
            kept.add(lent.slice(1, 100));
            kept.add(lent.duplicate());
            kept.add(lent.slice(1, 100).slice(1, 50));
            kept.add(ChannelBuffers.unmodifiableBuffer(lent));
            kept.add(ChannelBuffers.wrappedBuffer(lent, ChannelBuffers.wrappedBuffer(new byte[10])));
            lent.getInt(0); // the bytes have been in the array
        });
        lendTo(borrowing, borrowing);
        for (ChannelBuffer buffer : kept) {
            List<Executable> uses = List.of(
                    () -> buffer.getByte(0),
                    () -> buffer.getInt(0),
                    () -> buffer.getBytes(0, new byte[4]),
                    () -> buffer.getBytes(0, ByteBuffer.allocate(4)),
                    () -> buffer.copy(0, 4),
                    () -> buffer.slice(0, 4).getByte(0),
                    () -> buffer.duplicate().getByte(0),
                    () -> buffer.toByteBuffer(0, 4),
                    () -> buffer.readBytes(4));
            for (Executable use : uses) {
                Exception failure = assertThrows(IllegalStateException.class, use);
                assertEquals(
                        "lent to '0' (" + Borrowing.class.getName()
                                + ") until messageReceived returned; to keep the bytes, copy() them",
                        failure.getMessage());
            }
        }
        assertThrows(IllegalStateException.class, () -> kept.get(0).setByte(0, 0));
        assertThrows(IllegalStateException.class, () -> kept.get(0).array());
    }

    @Test
    void shouldLeaveCopiesAlone() throws Exception {
        List<ChannelBuffer> copies = new ArrayList<>();
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
            copies.add(lent.copy());
            copies.add(lent.copy(7, 100));
            copies.add(lent.duplicate().readBytes(50));
        });
        lendTo(borrowing, borrowing);
        assertTrue(copies.stream().allMatch(this::isOfChunks));
    }

    @Test
    void shouldReturnTheMessageOfAForwardedEventDuringTheLoan() throws Exception {
        AtomicReference<MessageEvent> kept = new AtomicReference<>();
        AtomicReference<Object> message = new AtomicReference<>();
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
            ctx.sendUpstream(e);
            assertSame(message.get(), e.getMessage());
            assertSame(message.get(), Channels.borrow(e));
        });
        SimpleChannelUpstreamHandler next = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                kept.set(e);
                message.set(e.getMessage());
            }
        };
        lendTo(borrowing, borrowing, next);
        assertFalse(message.get() instanceof LentChannelBuffer);
        assertTrue(isOfChunks((ChannelBuffer) message.get()));
        assertSame(message.get(), kept.get().getMessage());
    }

    @Test
    void shouldRefuseTheMessageOfABorrowedEventThatWasKept() throws Exception {
        AtomicReference<MessageEvent> kept = new AtomicReference<>();
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> kept.set(e));
        lendTo(borrowing, borrowing);
        Await.until(
                () -> {
                    try {
                        kept.get().getMessage();
                        return false;
                    } catch (IllegalStateException e) {
                        return e.getMessage().startsWith("lent to '0' (");
                    }
                },
                "a refusal");
        assertThrows(IllegalStateException.class, () -> Channels.borrow(kept.get()));
    }

    @Test
    void shouldCopyTheMessageOfAnEventThatWasNotBorrowed() throws Exception {
        List<MessageEvent> kept = new ArrayList<>();
        @ChannelHandler.Borrower
        class Keeping extends SimpleChannelUpstreamHandler {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                kept.add(e);
            }
        }
        sendTwenty(rig.bind(pipeline(new Keeping()), Map.of()));
        assertAreTwentySeparateCopies(
                kept.stream().map(MessageEvent::getMessage).toList());
    }

    @Test
    void shouldCopyForAnotherThreadThatAsksDuringTheEvent() throws Exception {
        CompletableFuture<Object> elsewhere = new CompletableFuture<>();
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
            Thread other = new Thread(() -> {
                try {
                    elsewhere.complete(Channels.borrow(e));
                } catch (Throwable t) {
                    elsewhere.completeExceptionally(t);
                }
            });
            other.start();
            Await.end(other);
        });
        lendTo(borrowing, borrowing);
        ChannelBuffer copy = (ChannelBuffer) elsewhere.get(30, TimeUnit.SECONDS);
        assertFalse(copy instanceof LentChannelBuffer);
        assertTrue(isOfChunks(copy));
    }

    @Test
    void shouldEndTheLoanWhenTheHandlerThrows() throws Exception {
        AtomicReference<Throwable> caught = new AtomicReference<>();
        CompletableFuture<ChannelBuffer> lent = new CompletableFuture<>();
        @ChannelHandler.Borrower
        class Throwing extends SimpleChannelUpstreamHandler {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (Channels.borrow(e) instanceof LentChannelBuffer buffer && lent.complete(buffer)) {
                    throw new IllegalArgumentException("thrown on purpose");
                }
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                caught.set(e.getCause());
            }
        }
        Channel server = rig.bind(pipeline(new Throwing()), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            for (int i = 0; i < 1000 && !lent.isDone(); i++) {
                peer.send(chunk);
            }
            ChannelBuffer buffer = lent.get(30, TimeUnit.SECONDS);
            Await.until(() -> isOver(buffer), "the end of the loan");
        }
        assertEquals("thrown on purpose", caught.get().getMessage());
    }
}
