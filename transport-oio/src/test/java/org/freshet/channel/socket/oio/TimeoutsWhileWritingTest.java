package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.timeout.IdleState;
import org.freshet.handler.timeout.IdleStateEvent;
import org.freshet.handler.timeout.IdleStateHandler;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.handler.timeout.WriteTimeoutException;
import org.freshet.handler.timeout.WriteTimeoutHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A peer reads nothing, and a handler writes more to it than the system's buffers hold. Time-outs are still reported.
 * The writer is located before the recorder of events, whose own events do not overlap then.
 */
class TimeoutsWhileWritingTest {
    private static final int MORE_THAN_THE_SYSTEM_HOLDS = 64 * 1024 * 1024;
    private static final int TIMEOUT_MILLIS = 50;

    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final CompletableFuture<ChannelFuture> written = new CompletableFuture<>();

    @AfterEach
    void stopTimer() {
        timer.stop();
    }

    /** Writes as soon as it is connected, and completes {@link #written} when the write returns. */
    private final class Writer extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ChannelFuture write =
                    ctx.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[MORE_THAN_THE_SYSTEM_HOLDS]));
            written.complete(write);
        }
    }

    /** Closes the channel on a time-out. */
    private static class Closing extends Recorder {
        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof IdleStateEvent || e instanceof ExceptionEvent) {
                ctx.getChannel().close();
            } else {
                ctx.sendUpstream(e);
            }
        }
    }

    private static Channel listen(Rig rig, ChannelHandler... handlers) {
        Channel server = rig.listen(Recorder::new);
        server.getConfig().setPipelineFactory(() -> Channels.pipeline(handlers));
        return server;
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailTheWriteThatAHandlerIsBlockedInAndClose(Transport transport) throws IOException {
        Recorder events = new Recorder();
        try (Rig rig = transport.rig()) {
            Channel server = listen(
                    rig, new WriteTimeoutHandler(timer, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS), new Writer(), events);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                ChannelFuture write = Await.result(written, "the write to return");
                assertInstanceOf(WriteTimeoutException.class, Await.failure(write, "the write"));
                events.awaitClosed();
                assertInstanceOf(WriteTimeoutException.class, events.failures().get(0));
                assertEquals("closed", events.events().get(events.events().size() - 1));
                assertTrue(peer.socket().isConnected());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailTheWriteThatAnotherThreadIsBlockedInAndClose(Transport transport) throws IOException {
        Recorder events = new Recorder();
        try (Rig rig = transport.rig()) {
            Channel server = listen(rig, new WriteTimeoutHandler(timer, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS), events);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("x");
                events.awaitText("x");
                ChannelFuture write =
                        events.channel().write(ChannelBuffers.wrappedBuffer(new byte[MORE_THAN_THE_SYSTEM_HOLDS]));
                assertInstanceOf(WriteTimeoutException.class, Await.failure(write, "the write"));
                events.awaitClosed();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportIdlenessWhileAHandlerIsBlockedInAWrite(Transport transport) throws IOException {
        Closing events = new Closing();
        try (Rig rig = transport.rig()) {
            Channel server = listen(
                    rig,
                    new IdleStateHandler(timer, 0, 0, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS),
                    new Writer(),
                    events);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                assertTrue(peer.socket().isConnected());
                events.awaitClosed();
                Await.failure(Await.result(written, "the write to return"), "the write");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportAReadTimeoutWhileAHandlerIsBlockedInAWrite(Transport transport) throws IOException {
        Closing events = new Closing();
        try (Rig rig = transport.rig()) {
            Channel server = listen(
                    rig, new ReadTimeoutHandler(timer, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS), new Writer(), events);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                assertTrue(peer.socket().isConnected());
                events.awaitClosed();
                assertInstanceOf(ReadTimeoutException.class, events.failures().get(0));
            }
        }
    }

    /**
     * The timer's thread must not wait behind the blocked write, because it has to report the time-outs of all
     * channels.
     */
    @ParameterizedTest
    @EnumSource
    void shouldNotBlockTheTimerWhenAnIdleHandlerWrites(Transport transport) throws IOException {
        CompletableFuture<ChannelFuture> ping = new CompletableFuture<>();
        SimpleChannelUpstreamHandler pinger = new SimpleChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof IdleStateEvent idle && idle.getState() == IdleState.WRITER_IDLE) {
                    ping.complete(ctx.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[] {'p'})));
                } else {
                    super.handleUpstream(ctx, e);
                }
            }
        };
        try (Rig rig = transport.rig()) {
            Channel server = listen(
                    rig,
                    new IdleStateHandler(timer, 0, TIMEOUT_MILLIS, 0, TimeUnit.MILLISECONDS),
                    pinger,
                    new Writer());
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                ChannelFuture write = Await.result(ping, "the ping to be queued while the handler is blocked");
                peer.read(MORE_THAN_THE_SYSTEM_HOLDS);
                assertEquals("p", peer.readText(1));
                Await.success(write, "the ping");
            }
        }
    }
}
