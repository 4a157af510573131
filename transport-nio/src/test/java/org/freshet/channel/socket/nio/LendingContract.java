package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.lending.Lending;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of {@code Channels.borrow}. The kernel may split what a peer sends into reads that are too short to be
 * lent, so peers send until a read was lent.
 */
abstract class LendingContract {
    static final int CHUNK = 16 * 1024;

    final Random random = Seeds.random();
    final byte[] chunk = new byte[CHUNK];
    final Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory(1));

    @BeforeEach
    void makeBytes() {
        assumeTrue(Lending.MODE != Lending.OFF, "nothing is lent");
        random.nextBytes(chunk);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** What a borrower does with a lent message. */
    interface Action {
        void run(ChannelHandlerContext ctx, MessageEvent e, ChannelBuffer lent) throws Exception;
    }

    /** Echoes; runs the configured action once, with the first lent message. */
    @ChannelHandler.Borrower
    static class Borrowing extends SimpleChannelUpstreamHandler {
        private final Action action;
        final CompletableFuture<ChannelBuffer> lent = new CompletableFuture<>();
        final AtomicReference<Throwable> failure = new AtomicReference<>();

        Borrowing(Action action) {
            this.action = action;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            ChannelBuffer message = (ChannelBuffer) Channels.borrow(e);
            if (message instanceof LentChannelBuffer && !lent.isDone()) {
                try {
                    action.run(ctx, e, message);
                } catch (Throwable t) {
                    failure.set(t);
                } finally {
                    lent.complete(message);
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            failure.compareAndSet(null, e.getCause());
        }
    }

    static ChannelPipelineFactory pipeline(ChannelHandler... handlers) {
        return () -> Channels.pipeline(handlers);
    }

    /** Sends until a message was lent, and returns the message when the loan is over. */
    ChannelBuffer lendTo(Borrowing borrowing, ChannelHandler... pipeline) throws Exception {
        Channel server = rig.bind(pipeline(pipeline), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            sendUntilLent(peer, borrowing);
        }
        return over(borrowing);
    }

    void sendUntilLent(ScriptedPeer peer, Borrowing borrowing) throws Exception {
        for (int i = 0; i < 1000 && !borrowing.lent.isDone(); i++) {
            peer.send(chunk);
        }
        borrowing.lent.get(30, TimeUnit.SECONDS);
    }

    ChannelBuffer over(Borrowing borrowing) throws Exception {
        ChannelBuffer lent = borrowing.lent.get(30, TimeUnit.SECONDS);
        Await.until(() -> isOver(lent), "the end of the loan");
        if (borrowing.failure.get() != null) {
            throw new AssertionError("the handler failed", borrowing.failure.get());
        }
        return lent;
    }

    static boolean isOver(ChannelBuffer lent) {
        try {
            lent.duplicate();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** Returns whether the bytes belong to the chunks that are sent one after another, from some position on. */
    boolean isOfChunks(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return isOfChunks(bytes);
    }

    boolean isOfChunks(byte[] bytes) {
        for (int start = 0; start < CHUNK; start++) {
            int i = 0;
            while (i < bytes.length && bytes[i] == chunk[(start + i) % CHUNK]) {
                i++;
            }
            if (i == bytes.length) {
                return true;
            }
        }
        return false;
    }

    void sendTwenty(Channel server) throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            for (int i = 0; i < 20; i++) {
                peer.send(chunk);
            }
            peer.endOutput();
            peer.readToEnd();
        }
    }

    void assertAreTwentySeparateCopies(List<Object> messages) {
        int bytes = 0;
        for (Object message : messages) {
            assertFalse(message instanceof LentChannelBuffer);
            assertTrue(isOfChunks((ChannelBuffer) message));
            bytes += ((ChannelBuffer) message).readableBytes();
        }
        assertEquals(20 * CHUNK, bytes);
    }
}
