package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handlers that throw an Error from each callback, upstream and downstream: their channel, its server and the loop
 * continue.
 */
class ThrowingHandlerTest {
    private final Rig rig = new Rig();

    @AfterEach
    void release() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "bound", "connected", "message", "writeComplete", "interest"})
    void shouldContinueAfterAHandlerThrewWhileConnected(String callback) throws Exception {
        Thrower thrower = new Thrower(callback);
        Channel server = rig.bind(thrower);
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("ping");
            assertEquals("ping", peer.readText(4));
            thrower.awaitThrown();
            peer.send("pong");
            assertEquals("pong", peer.readText(4));
        }
        assertInstanceOf(NoClassDefFoundError.class, thrower.caught.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"disconnected", "unbound", "closed", "exception"})
    void shouldServeOthersAfterAHandlerThrewAtTheEnd(String callback) throws Exception {
        Thrower thrower = new Thrower(callback);
        Channel server = rig.bind(thrower);
        ScriptedPeer.connect(server.getLocalAddress()).send("ping").reset();
        thrower.awaitThrown();
        Await.latch(thrower.closed, "channelClosed of the first");
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("ping");
            assertEquals("ping", peer.readText(4));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "bound", "childOpen", "childClosed"})
    void shouldAcceptAfterTheParentsHandlerThrew(String callback) throws Exception {
        Thrower thrower = new Thrower(callback);
        ServerBootstrap bootstrap = new ServerBootstrap(rig.servers);
        bootstrap.setParentHandler(thrower);
        Thrower echo = new Thrower("never");
        bootstrap.setPipelineFactory(() -> Channels.pipeline(echo));
        Channel server = bootstrap.bind(Rig.FREE_PORT);
        for (int i = 0; i < 2; i++) {
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("ping");
                assertEquals("ping", peer.readText(4));
            }
        }
        thrower.awaitThrown();
    }

    /** Echoes, and throws an Error from one callback, after doing its work. */
    @Sharable
    private static final class Thrower implements ChannelUpstreamHandler {
        final List<Throwable> caught = new CopyOnWriteArrayList<>();
        final CountDownLatch closed = new CountDownLatch(1);
        private final AtomicInteger thrown = new AtomicInteger();
        private final String callback;

        Thrower(String callback) {
            this.callback = callback;
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            String name = EventNames.of(e);
            if (e instanceof ExceptionEvent failure) {
                caught.add(failure.getCause());
            } else if (e instanceof MessageEvent message) {
                e.getChannel().write(message.getMessage());
            } else if (name.equals("connected")) {
                e.getChannel().setReadable(false);
                e.getChannel().setReadable(true);
            } else if (name.equals("closed")) {
                closed.countDown();
            }
            if (callback.equals(name)) {
                thrown.incrementAndGet();
                throw new NoClassDefFoundError("thrown on purpose");
            }
        }

        void awaitThrown() {
            boolean isHeardOf = !callback.equals("exception");
            Await.until(
                    () -> thrown.get() > 0 && (!isHeardOf || !caught.isEmpty()),
                    "the throw from " + callback + " and exceptionCaught");
        }
    }

    // ---- downstream

    @ParameterizedTest
    @ValueSource(strings = {"message", "interest", "disconnected", "unbound"})
    void shouldFailTheOperationWhoseDownstreamHandlerThrew(String operation) throws Exception {
        Recorder accepted = new Recorder();
        Channel server = rig.bind(() -> pipeline(new DownstreamThrower(operation), accepted), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            Channel channel = accepted.awaitConnected();
            Throwable cause = Await.failure(perform(operation, channel), operation);
            assertInstanceOf(NoClassDefFoundError.class, cause);
            Await.until(() -> accepted.failures().size() == 1, "exceptionCaught");
            assertSame(cause, accepted.failures().get(0));
            assertTrue(channel.isConnected());
            Await.success(perform(operation, channel), operation + " once more");
            Await.success(channel.close(), "the close");
            peer.readToEnd();
        }
    }

    private static ChannelFuture perform(String operation, Channel channel) {
        return switch (operation) {
            case "message" -> channel.write(copiedBuffer("x", US_ASCII));
            case "interest" -> channel.setInterestOps(Channel.OP_NONE);
            case "disconnected" -> channel.disconnect();
            default -> channel.unbind();
        };
    }

    /** The only close future reports that the channel is closed; it never fails. */
    @Test
    void shouldCloseEvenIfTheDownstreamHandlerThrewOnClose() throws Exception {
        Recorder accepted = new Recorder();
        Channel server = rig.bind(() -> pipeline(new DownstreamThrower("closed"), accepted), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            Channel channel = accepted.awaitConnected();
            Await.success(channel.close(), "the close");
            Await.until(() -> accepted.failures().size() == 1, "exceptionCaught");
            assertInstanceOf(NoClassDefFoundError.class, accepted.failures().get(0));
            peer.readToEnd();
        }
    }

    @Test
    void shouldFailTheBindAndTheConnectWhoseDownstreamHandlerThrew() {
        Channel server = rig.bind(new Recorder());
        Channel client = rig.clients.newChannel(pipeline(new DownstreamThrower("bound", "connected"), new Recorder()));
        InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
        assertInstanceOf(NoClassDefFoundError.class, Await.failure(client.bind(Rig.FREE_PORT), "the bind"));
        Await.success(client.bind(Rig.FREE_PORT), "the bind once more");
        assertInstanceOf(NoClassDefFoundError.class, Await.failure(client.connect(address), "the connect"));
        Await.success(client.connect(address), "the connect once more");
    }

    private static ChannelPipeline pipeline(ChannelDownstreamHandler thrower, Recorder recorder) {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("thrower", thrower);
        pipeline.addLast("recorder", recorder);
        return pipeline;
    }

    /** Throws at the first request of each of several kinds. */
    private static final class DownstreamThrower implements ChannelDownstreamHandler {
        private final List<String> operations;

        DownstreamThrower(String... operations) {
            this.operations = new CopyOnWriteArrayList<>(operations);
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (operations.remove(EventNames.of(e))) {
                throw new NoClassDefFoundError("thrown on purpose");
            }
            ctx.sendDownstream(e);
        }
    }
}
