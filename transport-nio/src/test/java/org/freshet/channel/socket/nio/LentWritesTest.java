package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;

class LentWritesTest extends LendingContract {
    /** Borrows, and writes the message in one of many ways. */
    @ChannelHandler.Borrower
    private static final class Echo extends SimpleChannelUpstreamHandler {
        private final Random random;
        private final int ways;
        int lent;

        /** @param ways 7, or 8 with one that keeps the order only if the peer accepts everything immediately */
        Echo(long seed, int ways) {
            random = new Random(seed);
            this.ways = ways;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer message = (ChannelBuffer) Channels.borrow(e);
            lent += message instanceof LentChannelBuffer ? 1 : 0;
            Channel channel = e.getChannel();
            switch (random.nextInt(ways)) {
                case 0 -> channel.write(message);
                case 1 -> channel.write(ChannelBuffers.unmodifiableBuffer(message));
                case 2 -> {
                    while (message.readable()) {
                        channel.write(message.readSlice(Math.min(message.readableBytes(), 1 + random.nextInt(9000))));
                    }
                }
                case 3 ->
                    channel.write(ChannelBuffers.wrappedBuffer(
                            message.slice(0, 1), message.slice(1, message.capacity() - 1)));
                case 4 -> {
                    message.setByte(0, message.getByte(0));
                    channel.write(message);
                }
                case 5 -> {
                    message.array();
                    channel.write(message.duplicate());
                }
                case 6 -> Channels.write(ctx, Channels.future(channel), message);
                default -> {
                    ChannelFuture first = channel.write(message.slice(0, 1));
                    ChannelBuffer rest = message.slice(1, message.capacity() - 1);
                    first.addListener(future -> {
                        if (future.isSuccess()) {
                            channel.write(rest); // within the flush that ends the loan
                        }
                    });
                }
            }
        }
    }

    @Test
    void shouldEchoEachByteHoweverLentBuffersAreWritten() throws Exception {
        Echo echo = new Echo(random.nextLong(), 8);
        Channel server = rig.bind(echo);
        int chunks = 100;
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            for (int i = 0; i < chunks; i++) {
                peer.send(chunk);
                assertArrayEquals(chunk, peer.read(CHUNK));
            }
        }
        assertTrue(echo.lent > 0, "nothing was lent");
    }

    @Test
    void shouldCopyBytesASlowPeerHasNotAcceptedWhenTheLoanEnds() throws Exception {
        Echo echo = new Echo(random.nextLong(), 7);
        Channel server = rig.bind(() -> Channels.pipeline(echo), Map.of("child.sendBufferSize", 8 * 1024));
        int chunks = 40;
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024)) {
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < chunks; i++) {
                        peer.send(chunk);
                    }
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            for (int i = 0; i < chunks; i++) {
                assertArrayEquals(chunk, peer.read(CHUNK));
            }
            Await.end(sender);
        }
        assertTrue(echo.lent > 0, "nothing was lent");
    }

    @Test
    void shouldSendLentBytesToOtherChannelsOfAnyLoop() throws Exception {
        for (int workers : new int[] {1, 2}) {
            try (Rig own = new Rig(new NioServerSocketChannelFactory(workers), new NioClientSocketChannelFactory(1))) {
                ChannelGroup all = new DefaultChannelGroup();
                Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
                    all.write(lent);
                    all.write(lent.slice(0, 10));
                });
                class Joining extends SimpleChannelUpstreamHandler {
                    @Override
                    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                        all.add(ctx.getChannel());
                    }
                }
                Channel silent = own.bind(() -> Channels.pipeline(new Joining()), Map.of());
                Channel server = own.bind(pipeline(borrowing), Map.of());
                try (ScriptedPeer one = ScriptedPeer.connect(silent.getLocalAddress());
                        ScriptedPeer two = ScriptedPeer.connect(silent.getLocalAddress());
                        ScriptedPeer three = ScriptedPeer.connect(silent.getLocalAddress());
                        ScriptedPeer writer = ScriptedPeer.connect(server.getLocalAddress())) {
                    Await.until(() -> all.size() == 3, "three members");
                    sendUntilLent(writer, borrowing);
                    ChannelBuffer lent = over(borrowing);
                    for (ScriptedPeer each : List.of(one, two, three)) {
                        byte[] got = each.read(lent.capacity() + 10);
                        assertTrue(isOfChunks(Arrays.copyOf(got, lent.capacity())));
                        assertArrayEquals(
                                Arrays.copyOf(got, 10), Arrays.copyOfRange(got, lent.capacity(), lent.capacity() + 10));
                    }
                }
            }
        }
    }

    @Test
    void shouldGiveHandlersOnTheWayDownACopyThatTheyMayKeep() throws Exception {
        BlockingQueue<ChannelBuffer> kept = new LinkedBlockingQueue<>();
        SimpleChannelDownstreamHandler keeping = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                kept.add((ChannelBuffer) e.getMessage());
            }
        };
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
            e.getChannel().write(lent);
            Channels.write(ctx, Channels.future(e.getChannel()), lent.slice(0, 100));
            e.getChannel().write(ChannelBuffers.wrappedBuffer(lent, lent));
        });
        ChannelBuffer lent = lendTo(borrowing, keeping, borrowing);
        assertEquals(
                List.of(lent.capacity(), 100, 2 * lent.capacity()),
                kept.stream().map(ChannelBuffer::readableBytes).toList());
        byte[] last = new byte[2 * lent.capacity()];
        kept.stream().skip(2).findFirst().orElseThrow().getBytes(0, last);
        assertTrue(isOfChunks(kept.remove()));
        assertTrue(isOfChunks(kept.remove()));
        assertTrue(isOfChunks(Arrays.copyOf(last, lent.capacity())));
    }

    @Test
    void shouldRefuseToWriteALentBufferAfterItsLoan() throws Exception {
        Borrowing borrowing = new Borrowing((ctx, e, lent) -> {});
        Channel server = rig.bind(pipeline(borrowing), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            sendUntilLent(peer, borrowing);
            ChannelBuffer lent = over(borrowing);
            Channel quiet = rig.bind(new SimpleChannelUpstreamHandler());
            Channel client = rig.connected(quiet, new SimpleChannelUpstreamHandler());
            assertThrows(IllegalStateException.class, () -> client.write(lent));
            assertTrue(client.isOpen());
        }
    }

    @Test
    void shouldSendLentBytesBeforeAClose() throws Exception {
        int bytes = 8 * 1024;
        @ChannelHandler.Borrower
        class ClosingEcho extends SimpleChannelUpstreamHandler {
            private int received;

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                ChannelBuffer message = (ChannelBuffer) Channels.borrow(e);
                received += message.readableBytes();
                e.getChannel().write(message);
                if (received == bytes) {
                    e.getChannel().close();
                }
            }
        }
        Channel server = rig.bind(pipeline(new ClosingEcho()), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send(Arrays.copyOf(chunk, bytes));
            assertArrayEquals(Arrays.copyOf(chunk, bytes), peer.readToEnd());
        }
    }

    /**
     * The loan ends with the write to the other connection; lent bytes that its listener writes to the reading one are
     * affected, too.
     */
    @Test
    void shouldCopyBytesThatAListenerOfAnotherChannelWritesToTheReadingOne() throws Exception {
        int piece = 8 * 1024;
        Recorder other = new Recorder();
        Channel otherServer = rig.bind(other);
        try (ScriptedPeer otherPeer = ScriptedPeer.connect(otherServer.getLocalAddress())) {
            Channel otherChannel = other.awaitConnected();
            CompletableFuture<ChannelFuture> late = new CompletableFuture<>();
            Borrowing borrowing = new Borrowing((ctx, e, lent) -> {
                ChannelBuffer part =
                        lent.slice(0, Math.min(piece, lent.capacity())); // too short to be sent immediately
                otherChannel
                        .write(part)
                        .addListener(sent -> late.complete(e.getChannel().write(part.duplicate())));
            });
            Channel server = rig.bind(pipeline(borrowing), Map.of());
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                for (int i = 0; i < 1000 && !late.isDone(); i++) {
                    peer.send(chunk);
                }
                Await.success(late.get(30, TimeUnit.SECONDS), "the write of the listener");
                assertEquals(null, borrowing.failure.get());
                assertEquals(1, otherPeer.read(1).length);
            }
        }
    }
}
