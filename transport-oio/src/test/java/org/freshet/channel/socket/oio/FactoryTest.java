package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.ServerSocketChannel;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.internal.VirtualThreads;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.freshet.util.ThreadNameDeterminer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where threads come from, how everything ends, and how a server behaves when it cannot accept. */
class FactoryTest {
    // ---- threads ----------------------------------------------------------------------------------------------------

    @Test
    void shouldRunConnectionsOnVirtualThreadsIfAvailable() throws Exception {
        Echo child = new Echo();
        try (Rig rig = Transport.DEFAULT_THREADS.rig()) {
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("x").readText(1);
            }
            child.awaitClosed();
        }
        assertEquals(VirtualThreads.exist(), isVirtual(child.threadOf("message")));
        assertEquals(Runtime.version().feature() >= 21, VirtualThreads.exist());
    }

    private static boolean isVirtual(Thread thread) throws Exception {
        return VirtualThreads.exist()
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }

    @Test
    void shouldNameThreadsWithTheDeterminer() throws IOException {
        List<String> proposed = new CopyOnWriteArrayList<>();
        ThreadNameDeterminer determiner = (current, proposal) -> {
            proposed.add(proposal);
            return "freshet-test " + proposal;
        };
        AtomicReference<String> name = new AtomicReference<>();
        ServerSocketChannelFactory servers = new OioServerSocketChannelFactory(
                Executors.newCachedThreadPool(), Executors.newCachedThreadPool(), determiner);
        try (Rig rig = new Rig(servers, Transport.PLATFORM_THREADS.client())) {
            Channel server = rig.listen(() -> new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    name.set(Thread.currentThread().getName());
                    super.handle(ctx, e);
                }
            });
            Recorder client = new Recorder();
            rig.connect(server.getLocalAddress(), client);
            Await.until(() -> name.get() != null, "the child's first event");
            assertTrue(client.awaitEvent("connected")
                    .threadOf("connected")
                    .getName()
                    .startsWith("freshet-oio-connection"));
        }
        assertTrue(name.get().startsWith("freshet-test freshet-oio-connection"), name.get());
        assertTrue(proposed.get(0).startsWith("freshet-oio-server"), proposed.toString());
    }

    @Test
    void shouldFailAConnectionForWhichTheExecutorHasNoThread() {
        Executor none = task -> {
            throw new RejectedExecutionException("no thread to spare");
        };
        try (Rig rig = new Rig(Transport.PLATFORM_THREADS.server(), new OioClientSocketChannelFactory(none))) {
            Channel server = rig.listen(Recorder::new);
            Recorder client = new Recorder();
            Throwable cause = Await.failure(rig.connecting(server.getLocalAddress(), client), "the connection");
            assertEquals("no thread to spare", cause.getMessage());
            assertEquals(
                    List.of("open", "exception", "closed"), client.awaitClosed().events());
        }
    }

    @Test
    void shouldRefuseAnExecutorThatRunsTasksInTheCallingThread() {
        try (Rig rig = new Rig(Transport.PLATFORM_THREADS.server(), new OioClientSocketChannelFactory(Runnable::run))) {
            Channel server = rig.listen(Recorder::new);
            Throwable cause = Await.failure(rig.connecting(server.getLocalAddress(), new Recorder()), "the connection");
            assertInstanceOf(RejectedExecutionException.class, cause);
        }
    }

    @Test
    void shouldCloseAcceptedConnectionsForWhichTheExecutorHasNoThread() throws IOException {
        Executor none = task -> {
            throw new RejectedExecutionException("no thread to spare");
        };
        ServerSocketChannelFactory servers = new OioServerSocketChannelFactory(Executors.newCachedThreadPool(), none);
        try (Rig rig = new Rig(servers, Transport.PLATFORM_THREADS.client())) {
            Recorder parent = new Recorder();
            rig.server().setParentHandler(parent);
            Channel server = rig.listen(Recorder::new);
            for (int i = 0; i < 2; i++) {
                try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                    peer.awaitEnd();
                }
            }
            Await.until(() -> parent.failures().size() == 2, "two failures");
            assertEquals("no thread to spare", parent.failures().get(0).getMessage());
        }
    }

    // ---- ending -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldCloseEverythingAndEndEveryThread(Transport transport) {
        Rig rig = transport.rig();
        List<Recorder> ends = new ArrayList<>();
        Channel server = rig.listen(() -> {
            Recorder child = new Recorder();
            synchronized (ends) {
                ends.add(child);
            }
            return child;
        });
        for (int i = 0; i < 10; i++) {
            Recorder client = new Recorder();
            rig.connect(server.getLocalAddress(), client);
            synchronized (ends) {
                ends.add(client);
            }
        }
        Recorder unconnected = new Recorder();
        rig.client().getFactory().newChannel(Channels.pipeline(unconnected));
        ends.add(unconnected);
        Await.until(
                () -> {
                    synchronized (ends) {
                        return ends.size() == 21
                                && ends.stream().noneMatch(e -> e.events().isEmpty());
                    }
                },
                "all children");
        rig.close();
        for (Recorder end : ends) {
            assertFalse(end.channel().isOpen());
            assertEquals("closed", end.events().get(end.events().size() - 1));
        }
        assertFalse(server.isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCreateClosedChannelsAfterTheShutdown(Transport transport) {
        Rig rig = transport.rig();
        rig.close();
        for (ChannelFactory factory :
                List.of(rig.client().getFactory(), rig.server().getFactory())) {
            Recorder handler = new Recorder();
            Channel channel = factory.newChannel(Channels.pipeline(handler));
            assertFalse(channel.isOpen());
            assertEquals(CloseReason.SHUTDOWN, channel.getCloseReason());
            assertEquals(List.of(), handler.events());
        }
    }

    @Test
    void shouldLeaveTheUsersExecutorAliveAfterShutdownButNotAfterRelease() {
        ExecutorService executor = Executors.newCachedThreadPool();
        OioClientSocketChannelFactory factory = new OioClientSocketChannelFactory(executor);
        factory.shutdown();
        assertFalse(executor.isShutdown());
        factory.releaseExternalResources();
        assertTrue(executor.isShutdown());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToShutDownOnAnIoThread(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Recorder child = new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                    if (e instanceof MessageEvent) {
                        ctx.getChannel().getFactory().releaseExternalResources();
                    }
                    super.handle(ctx, e);
                }
            };
            Channel server = rig.listen(() -> child);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("x");
                child.awaitEvent("exception");
            }
            Throwable refusal = child.failures().get(0);
            assertInstanceOf(IllegalStateException.class, refusal);
            assertTrue(refusal.getMessage().contains("I/O thread"), refusal.getMessage());
            assertTrue(server.isOpen());
        }
    }

    @Test
    void shouldShutDownWhileAPeerKeepsAWriterBlocked() throws IOException {
        Rig rig = Transport.DEFAULT_THREADS.rig();
        try (ScriptedServer server = ScriptedServer.listen(4096)) {
            Channel channel = rig.connect(server.address());
            try (ScriptedPeer peer = server.accept()) {
                AtomicReference<ChannelFuture> write = new AtomicReference<>();
                Thread writer =
                        new Thread(() -> write.set(channel.write(ChannelBuffers.wrappedBuffer(new byte[64 << 20]))));
                writer.start();
                peer.read(1);
                rig.close();
                Await.end(writer);
                assertFalse(write.get().isSuccess());
            }
        }
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    @Test
    void shouldContinueAcceptingAfterFailuresThatItReportsOnce() throws IOException {
        int failures = 4;
        FailingSocket socket = new FailingSocket(failures);
        ExecutorService threads = Executors.newCachedThreadPool();
        LiveChannels live = new LiveChannels("oio-server");
        try (CapturedLog log = CapturedLog.start()) {
            Echo child = new Echo();
            ThreadStarter ioThreads = ThreadStarter.of(threads, "threads", null);
            OioServerSocketChannel server = new OioServerSocketChannel(
                    new OioServerSocketChannelFactory(threads, threads),
                    Channels.pipeline(new Recorder()),
                    new OioServerSink(ioThreads),
                    socket,
                    live,
                    ioThreads);
            live.add(server);
            server.getConfig().setPipelineFactory(() -> Channels.pipeline(child));
            Await.success(server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), "the bind");
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                assertEquals("hello", peer.send("hello").readText(5));
            }
            assertEquals(0, socket.failuresLeft.get());
            assertEquals(
                    1,
                    log.messages(InternalLogLevel.WARN).stream()
                            .filter(message -> message.text().startsWith("cannot accept on"))
                            .count());
        } finally {
            live.closeAll();
            threads.shutdown();
        }
    }

    /** Fails for lack of descriptors for a while. */
    private static final class FailingSocket extends ServerSocket {
        final AtomicInteger failuresLeft;

        FailingSocket(int failures) throws IOException {
            failuresLeft = new AtomicInteger(failures);
        }

        @Override
        public Socket accept() throws IOException {
            if (failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("Too many open files");
            }
            return super.accept();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseAConnectionWhosePipelineCannotBeCreated(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Recorder parent = new Recorder();
            rig.server().setParentHandler(parent);
            Channel server = rig.listen(() -> {
                throw new IllegalStateException("no handler today");
            });
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.awaitEnd();
            }
            assertEquals(
                    "no handler today",
                    parent.awaitEvent("exception").failures().get(0).getMessage());
            assertTrue(server.isOpen());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadOptionsBackFromTheSocket(Transport transport) {
        try (Rig rig = transport.rig()) {
            rig.server().setOption("backlog", 7);
            rig.server().setOption("child.tcpNoDelay", true);
            rig.server().setOption("child.keepAlive", true);
            rig.client().setOption("receiveBufferSize", 20_000);
            Recorder child = new Recorder();
            ServerSocketChannel server = (ServerSocketChannel) rig.listen(() -> child);
            SocketChannel client = (SocketChannel) rig.connect(server.getLocalAddress());
            assertEquals(7, server.getConfig().getBacklog());
            assertTrue(client.getConfig().getReceiveBufferSize() >= 20_000);
            child.awaitEvent("connected");
            assertEquals(true, child.channel().getConfig().getOptions().get("tcpNoDelay"));
            assertEquals(true, child.channel().getConfig().getOptions().get("keepAlive"));
        }
    }
}
