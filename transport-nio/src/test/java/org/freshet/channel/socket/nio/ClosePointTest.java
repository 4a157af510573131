package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Handlers and listeners that close their channel from within. Both ends still see the complete life cycle, and every
 * future completes.
 */
class ClosePointTest {
    private static final String NEVER = "never";

    private static final List<List<String>> LIVES = List.of(
            List.of(),
            List.of("open", "closed"),
            List.of("open", "bound", "unbound", "closed"),
            List.of("open", "bound", "connected", "disconnected", "unbound", "closed"));

    private final Rig rig = new Rig();
    private final Recorder accepted = new Recorder();
    private final Recorder made = new Recorder();

    @AfterEach
    void release() {
        rig.close();
    }

    static List<String> points() {
        return List.of(
                "open",
                "bound",
                "connected",
                "message",
                "writeComplete",
                "interest",
                "exception",
                "disconnected",
                "unbound",
                "closed");
    }

    @ParameterizedTest
    @MethodSource("points")
    void shouldCompleteTheLifeCycleWhereverTheAcceptedEndCloses(String point) {
        Actor closing = new Actor(point);
        liveAndDie(closing, new Actor(NEVER), closing);
    }

    @ParameterizedTest
    @MethodSource("points")
    void shouldCompleteTheLifeCycleWhereverTheClientCloses(String point) {
        Actor closing = new Actor(point);
        liveAndDie(new Actor(NEVER), closing, closing);
    }

    private void liveAndDie(Actor atServer, Actor atClient, Actor closing) {
        Channel server = rig.bind(() -> Channels.pipeline(atServer, accepted), Map.of());
        ClientBootstrap bootstrap = new ClientBootstrap(rig.clients);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(atClient, made));
        ChannelFuture connect = bootstrap.connect(server.getLocalAddress());
        if (closing.isAtEnd()) {
            Await.success(accepted.awaitConnected().close(), "the close");
        }
        Await.latch(closing.reached, "the point of the close");
        Await.done(connect, "the connect");
        Await.success(connect.getChannel().close(), "the close");
        checkLives(atServer, atClient);
    }

    /** Releasing the factories closes every channel. */
    private void checkLives(Actor... actors) {
        rig.close();
        for (Recorder recorder : List.of(made, accepted)) {
            List<String> life = new ArrayList<>(recorder.events());
            life.removeIf(event -> event.startsWith("interest"));
            assertTrue(LIVES.contains(life), life::toString);
        }
        for (Actor actor : actors) {
            actor.futures.forEach(future -> assertTrue(future.isDone(), "done at the end"));
        }
    }

    @Test
    void shouldCompleteTheLifeCycleWhenTheParentsHandlerCloses() {
        ServerBootstrap bootstrap = new ServerBootstrap(rig.servers);
        bootstrap.setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                e.getChildChannel().close();
                e.getChildChannel().close();
            }
        });
        bootstrap.setPipelineFactory(() -> Channels.pipeline(accepted));
        rig.connected(bootstrap.bind(Rig.FREE_PORT), made);
        accepted.awaitClosed();
        made.awaitClosed();
        checkLives();
        assertTrue(
                accepted.events().contains("connected"), () -> accepted.events().toString());
        assertTrue(accepted.failures().isEmpty(), () -> accepted.failures().toString());
    }

    @Test
    void shouldCompleteTheLifeCycleWhenListenersClose() {
        Channel server = rig.bind(accepted);
        ChannelFuture connect = rig.connect(server, made);
        connect.addListener(connected -> connected
                .getChannel()
                .write(copiedBuffer("x", US_ASCII))
                .addListener(written -> written.getChannel()
                        .close()
                        .addListener(closed -> closed.getChannel().close())));
        made.awaitClosed();
        accepted.awaitClosed();
        checkLives();
    }

    @Test
    void shouldAlsoCloseByDisconnectAndUnbind() {
        Channel server = rig.bind(accepted);
        Await.success(rig.connected(server, made).disconnect(), "the disconnect");
        made.awaitClosed();
        Recorder second = new Recorder();
        Await.success(rig.connected(server, second).unbind(), "the unbind");
        second.awaitClosed();
        Await.success(server.unbind(), "the server's unbind");
        Await.success(server.getCloseFuture(), "the server's close");
    }

    /** Triggers every event on its channel, and closes the channel at one of them. */
    private static final class Actor implements ChannelUpstreamHandler {
        final CountDownLatch reached = new CountDownLatch(1);
        final Queue<ChannelFuture> futures = new ConcurrentLinkedQueue<>();
        private final String point;

        Actor(String point) {
            this.point = point;
        }

        boolean isAtEnd() {
            return List.of("disconnected", "unbound", "closed").contains(point);
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            Channel channel = ctx.getChannel();
            String name = EventNames.of(e);
            if (name.equals(point)) {
                futures.add(channel.close());
                reached.countDown();
            }
            ctx.sendUpstream(e);
            futures.add(channel.write(copiedBuffer("x", US_ASCII)));
            if (name.equals("connected")) {
                futures.add(channel.setReadable(false));
                futures.add(channel.setReadable(true));
            } else if (name.equals("message") && channel.isOpen()) {
                throw new IllegalStateException("thrown on purpose");
            }
        }
    }
}
