package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each way in which a connection ends has a reason, the same on every transport. */
class CloseReasonMatrixTest {
    private static final CloseReason CHOSEN = CloseReason.of(Kind.OVERFLOW, "chosen by the test");

    /**
     * Records the reasons that handlers and listeners find, and runs an action on the first event with a given name.
     */
    private static final class Witness extends Recorder {
        private final String point;
        private final Consumer<Channel> action;
        private final CompletableFuture<CloseReason> inListener = new CompletableFuture<>();
        private final CompletableFuture<CloseReason> inHandler = new CompletableFuture<>();

        Witness() {
            this("none", channel -> {});
        }

        Witness(String point, Consumer<Channel> action) {
            this.point = point;
            this.action = action;
        }

        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
            Channel channel = ctx.getChannel();
            String event = events().get(events().size() - 1);
            if (event.equals("open")) {
                assertNull(channel.getCloseReason());
                channel.getCloseFuture().addListener(closed -> inListener.complete(channel.getCloseReason()));
            } else if (event.equals("closed")) {
                inHandler.complete(channel.getCloseReason());
            }
            if (event.equals(point)) {
                action.accept(channel);
            }
        }

        CloseReason reason() {
            CloseReason seen = Await.result(inHandler, "channelClosed");
            assertSame(seen, Await.result(inListener, "the close future"));
            assertSame(seen, channel().getCloseReason());
            return seen;
        }

        Kind kind() {
            return reason().kind();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeLocalHereAndPeerClosedThere(Pair pair) {
        Witness accepted = new Witness();
        Witness made = new Witness();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress(), made);
            accepted.awaitEvent("connected");
            client.close();
            assertEquals(Kind.LOCAL, made.kind());
            assertEquals(Kind.PEER_CLOSED, accepted.kind());
            server.close().awaitUninterruptibly();
            assertEquals(CloseReason.LOCAL, server.getCloseReason());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeTheOneGivenWhenAHandlerCloses(Pair pair) {
        Witness accepted = new Witness("message", channel -> {
            channel.close(CHOSEN);
            channel.close();
        });
        Witness made = new Witness("connected", channel -> channel.write(wrappedBuffer(new byte[1])));
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            rig.connect(server.getLocalAddress(), made);
            assertSame(CHOSEN, accepted.reason());
            assertEquals(Kind.PEER_CLOSED, made.kind());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeOneOfThoseGivenWhenThreadsRaceToClose(Pair pair) throws Exception {
        Witness made = new Witness();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Witness::new);
            Channel client = rig.connect(server.getLocalAddress(), made);
            CloseReason other = CloseReason.of(Kind.DRAINED, "by another thread");
            CyclicBarrier start = new CyclicBarrier(2);
            Thread rival = new Thread(() -> closeAfter(start, client, other));
            rival.start();
            closeAfter(start, client, CHOSEN);
            Await.end(rival);
            CloseReason reason = made.reason();
            assertTrue(reason == CHOSEN || reason == other, reason::toString);
        }
    }

    private static void closeAfter(CyclicBarrier start, Channel channel, CloseReason reason) {
        try {
            start.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        channel.close(reason);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeShutdownWhenTheFactoryIsReleased(Pair pair) {
        Witness accepted = new Witness();
        Witness made = new Witness();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            rig.connect(server.getLocalAddress(), made);
            accepted.awaitEvent("connected");
            rig.server().releaseExternalResources();
            assertEquals(Kind.SHUTDOWN, accepted.kind());
            assertEquals(Kind.SHUTDOWN, server.getCloseReason().kind());
            assertEquals(Kind.PEER_CLOSED, made.kind());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeCompletedWhenBothSidesEndTheirOutput(Pair pair) {
        Witness accepted = new Witness("inputShutdown", Channels::shutdownOutput);
        Witness made = new Witness("connected", Channels::shutdownOutput);
        try (Rig rig = pair.rig()) {
            rig.server().setOption("child.allowHalfClosure", true);
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            rig.connect(server.getLocalAddress(), made);
            assertEquals(Kind.COMPLETED, accepted.kind());
            assertEquals(Kind.COMPLETED, made.kind());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeConnectFailedWithoutAListeningServer(Pair pair) throws Exception {
        Witness made = new Witness();
        try (Rig rig = pair.rig();
                Socket deaf = new Socket()) {
            deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // no other process gets the port
            SocketAddress address =
                    pair == Pair.LOCAL || pair == Pair.UNIX ? pair.freeAddress() : deaf.getLocalSocketAddress();
            Throwable cause = Await.failure(rig.connecting(address, made), "the connect");
            CloseReason reason = made.reason();
            assertEquals(Kind.CONNECT_FAILED, reason.kind());
            assertSame(cause, reason.cause());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeBindFailedWhenTheAddressIsTaken(Pair pair) {
        Witness parent = new Witness();
        try (Rig rig = pair.rig();
                Rig second = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Witness::new);
            second.server().setParentHandler(parent);
            assertThrows(ChannelException.class, () -> second.listen(server.getLocalAddress(), Witness::new));
            assertEquals(Kind.BIND_FAILED, parent.kind());
        }
    }

    /** Each server transport once, because the peer is a plain socket; a local peer cannot reset. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldBePeerResetAndReportedByFailedWrites(Pair pair) throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        Witness accepted = new Witness("message", channel -> received.countDown());
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
            peer.send("x");
            Await.latch(received, "a message");
            peer.reset();
            assertEquals(Kind.PEER_RESET, accepted.kind());
            ChannelFuture late = accepted.channel().write(wrappedBuffer(new byte[1]));
            ChannelClosedException failure =
                    assertInstanceOf(ChannelClosedException.class, Await.failure(late, "a late write"));
            assertSame(accepted.reason(), failure.getReason());
            assertTrue(failure.getMessage().contains("the peer reset the connection"), failure::getMessage);
            assertTrue(failure.getMessage().contains("Connection reset"), failure::getMessage);
        }
    }

    /** The writer's own listener closes, too, and must not hide the reason. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldBePeerResetWhenAWriteDetectsIt(Pair pair) throws Exception {
        Witness accepted = new Witness("message", channel -> channel.setReadable(false));
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
            peer.send("x");
            accepted.awaitEvent("interest");
            peer.reset();
            Channel channel = accepted.channel();
            Await.until(
                    () -> {
                        ChannelFuture write = channel.write(wrappedBuffer(new byte[1]));
                        write.addListener(done -> {
                            if (!done.isSuccess()) {
                                channel.close();
                            }
                        });
                        return Await.done(write, "a write").getCause() != null;
                    },
                    "a write that fails");
            assertEquals(Kind.PEER_RESET, accepted.kind());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldBeHandlerFailedWhenAnErrorStopsTheIoThread(Pair pair) throws Exception {
        Error thrown = new AssertionError("thrown on purpose");
        Witness accepted = new Witness("open", channel -> channel.getConfig().setBufferFactory(failing(thrown)));
        try (CapturedLog log = CapturedLog.start();
                Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("x");
                CloseReason reason = accepted.reason();
                assertEquals(Kind.HANDLER_FAILED, reason.kind());
                assertSame(thrown, reason.cause());
                assertSame(thrown, log.messages(InternalLogLevel.ERROR).get(0).cause());
            }
        }
    }

    private static HeapChannelBufferFactory failing(Error thrown) {
        return new HeapChannelBufferFactory() {
            @Override
            public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
                throw thrown;
            }

            @Override
            public ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length) {
                throw thrown;
            }

            @Override
            public ChannelBuffer getBuffer(ByteBuffer buffer) {
                throw thrown;
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeReportedByAWriteToAClosedChannel(Pair pair) {
        Witness made = new Witness();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Witness::new);
            Channel client = rig.connect(server.getLocalAddress(), made);
            client.close(CHOSEN).awaitUninterruptibly();
            Throwable cause = Await.failure(client.write(wrappedBuffer(new byte[1])), "a late write");
            assertInstanceOf(ChannelClosedException.class, cause);
            assertEquals("the channel is closed: too much waited to be sent: chosen by the test", cause.getMessage());
        }
    }
}
