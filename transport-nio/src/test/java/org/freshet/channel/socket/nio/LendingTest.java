package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.internal.lending.Lending;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of {@code Channels.borrow}. The kernel may split what a peer sends into reads that are too short to be
 * lent, so peers send until a read was lent.
 */
class LendingTest {
    private static final int CHUNK = 16 * 1024;

    private final Random random = Seeds.random();
    private final byte[] chunk = new byte[CHUNK];
    private final Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory(1));

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
    private interface Action {
        void run(ChannelHandlerContext ctx, MessageEvent e, ChannelBuffer lent) throws Exception;
    }

    /** Echoes; runs the configured action once, with the first lent message. */
    @ChannelHandler.Borrower
    private static class Borrowing extends SimpleChannelUpstreamHandler {
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

    private static ChannelPipelineFactory pipeline(ChannelHandler... handlers) {
        return () -> Channels.pipeline(handlers);
    }

    /** Sends until a message was lent, and returns the message when the loan is over. */
    private ChannelBuffer lendTo(Borrowing borrowing, ChannelHandler... pipeline) throws Exception {
        Channel server = rig.bind(pipeline(pipeline), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            sendUntilLent(peer, borrowing);
        }
        return over(borrowing);
    }

    private void sendUntilLent(ScriptedPeer peer, Borrowing borrowing) throws Exception {
        for (int i = 0; i < 1000 && !borrowing.lent.isDone(); i++) {
            peer.send(chunk);
        }
        borrowing.lent.get(30, TimeUnit.SECONDS);
    }

    private ChannelBuffer over(Borrowing borrowing) throws Exception {
        ChannelBuffer lent = borrowing.lent.get(30, TimeUnit.SECONDS);
        Await.until(() -> isOver(lent), "the end of the loan");
        if (borrowing.failure.get() != null) {
            throw new AssertionError("the handler failed", borrowing.failure.get());
        }
        return lent;
    }

    private static boolean isOver(ChannelBuffer lent) {
        try {
            lent.duplicate();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** Returns whether the bytes belong to the chunks that are sent one after another, from some position on. */
    private boolean isOfChunks(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return isOfChunks(bytes);
    }

    private boolean isOfChunks(byte[] bytes) {
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

    // ---- what is lent, and to whom ----------------------------------------------------------------------------------

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

    private void sendTwenty(Channel server) throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            for (int i = 0; i < 20; i++) {
                peer.send(chunk);
            }
            peer.endOutput();
            peer.readToEnd();
        }
    }

    private void assertAreTwentySeparateCopies(List<Object> messages) {
        int bytes = 0;
        for (Object message : messages) {
            assertFalse(message instanceof LentChannelBuffer);
            assertTrue(isOfChunks((ChannelBuffer) message));
            bytes += ((ChannelBuffer) message).readableBytes();
        }
        assertEquals(20 * CHUNK, bytes);
    }

    // ---- the end of a loan ------------------------------------------------------------------------------------------

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

    // ---- writing ----------------------------------------------------------------------------------------------------

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

    // ---- unmarked handlers ------------------------------------------------------------------------------------------

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
