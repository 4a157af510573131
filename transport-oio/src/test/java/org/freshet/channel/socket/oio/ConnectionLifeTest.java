package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From open to closed: events, their order and thread, and how a connection fails or ends. */
class ConnectionLifeTest {
    // ---- events -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldNotifyBothEndsInOrderWhenTheClientCloses(Transport transport) {
        try (Rig rig = transport.rig()) {
            Recorder parent = new Recorder();
            Recorder child = new Recorder();
            Recorder client = new Recorder();
            rig.server().setParentHandler(parent);
            Channel server = rig.listen(() -> child);
            rig.connect(server.getLocalAddress(), client);
            child.awaitEvent("connected");
            client.channel().close();
            assertEquals(
                    List.of("open", "bound", "connected", "disconnected", "unbound", "closed"),
                    client.awaitClosed().states());
            assertEquals(
                    List.of("open", "bound", "connected", "disconnected", "unbound", "closed"),
                    child.awaitClosed().states());
            parent.awaitEvent("childClosed");
            server.close();
            assertEquals(
                    List.of("open", "bound", "childOpen", "childClosed", "unbound", "closed"),
                    parent.awaitClosed().states());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnnounceAChildToItsParentBeforeTheChildOpens(Transport transport) {
        try (Rig rig = transport.rig()) {
            CountDownLatch parentKnows = new CountDownLatch(1);
            AtomicReference<Boolean> knewBefore = new AtomicReference<>();
            Recorder parent = new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    if (events().contains("childOpen")) {
                        parentKnows.countDown();
                    }
                    super.handle(ctx, e);
                }
            };
            rig.server().setParentHandler(parent);
            Channel server = rig.listen(() -> new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    knewBefore.compareAndSet(null, parentKnows.getCount() == 0);
                    super.handle(ctx, e);
                }
            });
            rig.connect(server.getLocalAddress(), new Recorder());
            Await.until(() -> knewBefore.get() != null, "the child's first event");
            assertTrue(knewBefore.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFireReadEventsOnOneThreadOfTheChannel(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Echo child = new Echo();
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("x").readText(1);
            }
            child.awaitClosed();
            Thread reader = child.threadOf("message");
            assertSame(reader, child.threadOf("open"));
            assertSame(reader, child.threadOf("connected"));
            assertSame(reader, child.threadOf("closed"));
            assertTrue(reader != Thread.currentThread());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeClosedForAllThreadsWhenHandlersAreNotified(Transport transport) {
        for (int round = 0; round < 50; round++) {
            try (Rig rig = transport.rig()) {
                AtomicReference<Boolean> openAtTheEnd = new AtomicReference<>();
                Channel server = rig.listen(Recorder::new);
                Recorder client = new Recorder() {
                    @Override
                    protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                        if (events().contains("disconnected")) {
                            openAtTheEnd.compareAndSet(
                                    null,
                                    ctx.getChannel().isOpen()
                                            || !ctx.getChannel()
                                                    .getCloseFuture()
                                                    .isDone());
                        }
                        super.handle(ctx, e);
                    }
                };
                rig.connect(server.getLocalAddress(), client).close();
                client.awaitClosed();
                assertEquals(false, openAtTheEnd.get());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFireOnlyOpenAndClosedWhenNothingElseHappened(Transport transport) {
        Recorder client = new Recorder();
        try (Rig rig = transport.rig()) {
            Channel channel = rig.client().getFactory().newChannel(Channels.pipeline(client));
            Await.success(channel.close(), "the close");
            assertEquals(List.of("open", "closed"), client.awaitClosed().events());
            assertFalse(channel.isBound());
            assertNull(channel.getLocalAddress());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnnounceABindBeforeTheConnection(Transport transport) {
        try (Rig rig = transport.rig()) {
            Channel server = rig.listen(Recorder::new);
            Recorder client = new Recorder();
            Channel channel = rig.client().getFactory().newChannel(Channels.pipeline(client));
            Await.success(channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), "the bind");
            assertTrue(channel.isBound());
            SocketAddress local = channel.getLocalAddress();
            Await.success(channel.connect(server.getLocalAddress()), "the connection");
            assertEquals(local, channel.getLocalAddress());
            assertEquals(
                    List.of("open", "bound", "connected"),
                    client.awaitEvent("connected").states());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAddressesAfterTheClose(Transport transport) {
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder();
            Channel server = rig.listen(() -> child);
            Channel client = rig.connect(server.getLocalAddress(), new Recorder());
            child.awaitEvent("connected");
            assertEquals(client.getLocalAddress(), child.channel().getRemoteAddress());
            assertEquals(server.getLocalAddress(), client.getRemoteAddress());
            Await.success(client.close(), "the close");
            assertEquals(server.getLocalAddress(), client.getRemoteAddress());
            assertFalse(client.isConnected());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEchoOverIpv6(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Channel server = rig.listen(new InetSocketAddress("::1", 0), Echo::new);
            Recorder client = new Recorder();
            rig.connect(server.getLocalAddress(), client).write(bytes("six"));
            client.awaitText("six");
            assertEquals("six", client.text());
        }
    }

    // ---- connecting -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldFailAndCloseWhenTheConnectionIsRefused(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            SocketAddress nobody = freeAddress();
            Recorder client = new Recorder();
            Throwable cause = Await.failure(rig.connecting(nobody, client), "the connection");
            assertInstanceOf(ConnectException.class, cause);
            assertTrue(cause.getMessage().contains(nobody.toString()), cause.getMessage());
            assertEquals(
                    List.of("open", "exception", "closed"), client.awaitClosed().events());
            assertSame(cause, client.failures().get(0));
        }
    }

    private static SocketAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalSocketAddress();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailWhenTheConnectTimesOut(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                FullListener listener = new FullListener()) {
            rig.client().setOption("connectTimeoutMillis", 50);
            Recorder client = new Recorder();
            Throwable cause = Await.failure(rig.connecting(listener.address(), client), "the connection");
            assertInstanceOf(ConnectTimeoutException.class, cause);
            assertTrue(cause.getMessage().contains("50 ms"), cause.getMessage());
            assertTrue(cause.getMessage().contains(listener.address().toString()), cause.getMessage());
            client.awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailAConnectionAttemptWhenAnotherThreadCloses(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                FullListener listener = new FullListener()) {
            Recorder client = new Recorder();
            ChannelFuture connecting = rig.connecting(listener.address(), client);
            assertInstanceOf(
                    ConnectionPendingException.class,
                    Await.failure(connecting.getChannel().connect(listener.address()), "the second attempt"));
            assertInstanceOf(
                    NotYetConnectedException.class,
                    Await.failure(connecting.getChannel().write(bytes("early")), "the early write"));
            Await.success(connecting.getChannel().close(), "the close");
            assertInstanceOf(ClosedChannelException.class, Await.failure(connecting, "the connection"));
            client.awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameAnUnresolvedAddress(Transport transport) {
        try (Rig rig = transport.rig()) {
            InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
            Throwable cause = Await.failure(rig.connecting(nowhere, new Recorder()), "the connection");
            assertInstanceOf(UnknownHostException.class, cause);
            assertTrue(cause.getMessage().contains("nowhere.invalid:80"), cause.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseASecondConnection(Transport transport) {
        try (Rig rig = transport.rig()) {
            Channel server = rig.listen(Recorder::new);
            Channel client = rig.connect(server.getLocalAddress(), new Recorder());
            assertInstanceOf(
                    AlreadyConnectedException.class,
                    Await.failure(client.connect(server.getLocalAddress()), "the second connection"));
            assertTrue(client.isConnected());
        }
    }

    // ---- binding ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldFailAndCloseAServerWhosePortIsTaken(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                ScriptedServer taken = ScriptedServer.listen()) {
            ChannelException failure =
                    assertThrows(ChannelException.class, () -> rig.listen(taken.address(), Recorder::new));
            assertInstanceOf(BindException.class, failure.getCause());
        }
    }

    // ---- ending -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldReportAResetAndClose(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder();
            Channel server = rig.listen(() -> child);
            ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
            child.awaitEvent("connected");
            peer.reset();
            assertEquals(
                    List.of("open", "bound", "connected", "exception", "disconnected", "unbound", "closed"),
                    child.awaitClosed().states());
            assertInstanceOf(IOException.class, child.failures().get(0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerAPeerThatHasEndedItsOutput(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Channel server = rig.listen(Echo::new);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("last words").endOutput();
                assertEquals("last words", peer.readText(10));
                peer.awaitEnd();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFinishAnotherThreadsWriteToAPeerThatHasEndedItsOutput(Transport transport) throws IOException {
        int length = 4 << 20;
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder();
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8192)) {
                child.awaitEvent("connected");
                AtomicReference<ChannelFuture> answer = new AtomicReference<>();
                Thread writer = new Thread(
                        () -> answer.set(child.channel().write(ChannelBuffers.wrappedBuffer(new byte[length]))));
                writer.start();
                peer.read(1); // the write is in progress, and cannot end before the rest is read
                peer.endOutput();
                assertEquals(length - 1, peer.readToEnd().length);
                Await.end(writer);
                Await.success(answer.get(), "the answer");
            }
            child.awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetAnotherThreadCloseAChannelThatIsBlockedInARead(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Recorder client = new Recorder();
            Channel channel = rig.connect(server.address(), client);
            try (ScriptedPeer peer = server.accept()) {
                Await.success(channel.close(), "the close");
                peer.awaitEnd();
                assertEquals(List.of(), client.awaitClosed().failures());
                assertInstanceOf(
                        ClosedChannelException.class, Await.failure(channel.write(bytes("late")), "a late write"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseAServerThatIsBlockedInAccept(Transport transport) {
        try (Rig rig = transport.rig()) {
            Recorder parent = new Recorder();
            rig.server().setParentHandler(parent);
            Channel server = rig.listen(Recorder::new);
            Await.success(server.close(), "the close");
            assertEquals(
                    List.of("open", "bound", "unbound", "closed"),
                    parent.awaitClosed().events());
            assertInstanceOf(
                    ConnectException.class,
                    Await.failure(rig.connecting(server.getLocalAddress(), new Recorder()), "a late connection"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptNothingAfterAServersCloseIsDone(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            for (int round = 0; round < 200; round++) {
                Channel server = rig.listen(Recorder::new);
                Await.success(server.close(), "the close");
                try (Socket late = new Socket()) {
                    assertThrows(ConnectException.class, () -> late.connect(server.getLocalAddress()));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseOnceWhenAllCloseAtTheSameTime(Transport transport) {
        try (Rig rig = transport.rig()) {
            for (int round = 0; round < 30; round++) {
                Recorder child = new Recorder();
                Recorder client = new Recorder();
                Channel server = rig.listen(() -> child);
                rig.connect(server.getLocalAddress(), client);
                child.awaitEvent("connected");
                List<Thread> closers = new ArrayList<>();
                for (Recorder end : List.of(child, client, child, client)) {
                    closers.add(new Thread(() -> end.channel().close()));
                }
                closers.forEach(Thread::start);
                closers.forEach(Await::end);
                for (Recorder end : List.of(child, client)) {
                    List<String> states = new ArrayList<>(end.awaitClosed().states());
                    states.removeIf("exception"::equals); // which end is reset depends on the race
                    assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), states);
                }
                server.close();
            }
        }
    }

    // ---- handlers ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldContinueAfterAHandlerHasFailed(Transport transport) throws IOException {
        AtomicReference<Throwable> caught = new AtomicReference<>();
        try (Rig rig = transport.rig()) {
            Channel server = rig.listen(() -> new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    throw new IllegalStateException("refuses messages on purpose");
                }

                @Override
                public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                    caught.set(e.getCause());
                    ctx.getChannel().write(bytes("!"));
                }
            });
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                assertEquals("!", peer.send("a").readText(1));
                assertEquals("!", peer.send("b").readText(1));
            }
        }
        assertEquals("refuses messages on purpose", caught.get().getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToAwaitOnTheIoThreadWhatThatThreadHasToDo(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    if (e instanceof MessageEvent) {
                        ctx.getChannel().getCloseFuture().await();
                    }
                    super.handle(ctx, e);
                }
            };
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("x");
                child.awaitEvent("exception");
            }
            assertInstanceOf(IllegalStateException.class, child.failures().get(0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNeverRunAPipelineTaskDuringAnotherEvent(Transport transport) throws Exception {
        try (Rig rig = transport.rig()) {
            CountDownLatch inHandler = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            Recorder child = new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    if (e instanceof MessageEvent) {
                        inHandler.countDown();
                        Await.latch(goOn, "the test's permission");
                    }
                    super.handle(ctx, e);
                }
            };
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("x");
                Await.latch(inHandler, "the message");
                AtomicReference<Thread> ranOn = new AtomicReference<>();
                ChannelFuture task = child.channel().getPipeline().execute(() -> ranOn.set(Thread.currentThread()));
                assertFalse(task.isDone());
                goOn.countDown();
                Await.success(task, "the task");
                assertSame(child.threadOf("message"), ranOn.get());
            }
        }
    }

    @Test
    void shouldRunAPipelineTaskWhileTheIoThreadWaitsForASilentPeer() throws IOException {
        try (Rig rig = Transport.DEFAULT_THREADS.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address(), new Recorder());
            try (ScriptedPeer silent = server.accept()) {
                CountDownLatch ran = new CountDownLatch(1);
                Await.success(channel.getPipeline().execute(ran::countDown), "the task");
                assertEquals(0, ran.getCount());
                assertTrue(silent.socket().isConnected());
            }
        }
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.wrappedBuffer(text.getBytes());
    }
}
