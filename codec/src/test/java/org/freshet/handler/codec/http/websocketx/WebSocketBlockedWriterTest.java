package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a connection on the blocking transport, while a thread writes more than the peer reads. */
class WebSocketBlockedWriterTest {
    private static final int SOCKET_BUFFER_BYTES = 32 * 1024;
    private static final int MORE_THAN_A_SOCKET_TAKES = 1024 * 1024;
    /** Frames depend on those before, so they are compressed one at a time. */
    private static final PerMessageDeflate WITH_TAKEOVER =
            PerMessageDeflate.builder().serverContextTakeover(true).build();

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(10);

    /** A close frame of a client, with the mask 0. */
    private static final byte[] CLOSE = {(byte) 0x88, (byte) 0x80, 0, 0, 0, 0};

    private final Rig rig = new Rig(new OioServerSocketChannelFactory(), new OioClientSocketChannelFactory());
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private final List<Thread> threads = new ArrayList<>();
    private ScriptedPeer peer;
    private ChannelFuture written;

    @AfterEach
    void release() throws Exception {
        peer.close();
        rig.close();
        threads.forEach(Await::end);
    }

    private final class Application extends WebSocketHandler {
        @Override
        public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) {
            accepted.complete(ctx.getChannel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private static WebSocketServerConfig.Builder config(boolean deflates) {
        WebSocketServerConfig.Builder config =
                WebSocketServerConfig.builder("/").closeTimeout(LONG);
        return deflates ? config.extensions(WITH_TAKEOVER) : config;
    }

    /** Returns the server's channel, on which another thread can't go on with a frame. */
    private Channel block(WebSocketServerConfig config) throws Exception {
        rig.server().setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("http", new HttpServerCodec());
            pipeline.addLast("websocket", new WebSocketServerProtocolHandler(config));
            pipeline.addLast("application", new Application());
            return pipeline;
        });
        rig.server().setOption("child.sendBufferSize", SOCKET_BUFFER_BYTES);
        Channel server = rig.server().bind(new InetSocketAddress("localhost", 0));
        peer = ScriptedPeer.connect(server.getLocalAddress(), SOCKET_BUFFER_BYTES);
        peer.send("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
        while (!peer.readLine().isEmpty()) {}
        Channel channel = Await.result(accepted, "the handshake");
        byte[] content = new byte[MORE_THAN_A_SOCKET_TAKES];
        Seeds.random().nextBytes(content);
        written = Channels.future(channel);
        start(() -> Channels.write(channel, new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(content)))
                .addListener(done -> written.setFailure(done.getCause())));
        Await.until(() -> WriteAccount.waitingBytes(channel) >= MORE_THAN_A_SOCKET_TAKES, "the frame that isn't read");
        return channel;
    }

    private void start(Runnable task) {
        Thread thread = new Thread(task);
        threads.add(thread);
        thread.start();
    }

    private void assertClosed(Channel channel) {
        Await.done(channel.getCloseFuture(), "the close");
        Await.failure(written, "the frame that wasn't read");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldComeWhenThePeerAnswersNoPing(boolean deflates) throws Exception {
        Channel channel =
                block(config(deflates).ping(Duration.ofSeconds(1), SHORT).build());
        assertClosed(channel);
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    /** The close frame waits for the frame in progress, but not forever. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldComeSomeTimeAfterItIsRequested(boolean deflates) throws Exception {
        Channel channel = block(config(deflates).closeTimeout(SHORT).build());
        start(channel::close);
        assertClosed(channel);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldComeSomeTimeAfterADrain(boolean deflates) throws Exception {
        Channel channel = block(config(deflates).closeTimeout(SHORT).build());
        channel.getPipeline().sendUpstream(new DrainEvent(channel, () -> {}));
        start(channel::close);
        assertClosed(channel);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldComeSomeTimeAfterThePeersCloseFrame(boolean deflates) throws Exception {
        Channel channel = block(config(deflates).closeTimeout(SHORT).build());
        peer.send(CLOSE);
        assertClosed(channel);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldComeSomeTimeAfterACloseFrameThatCannotBeSent(boolean deflates) throws Exception {
        Channel channel = block(config(deflates).closeTimeout(SHORT).build());
        start(() -> channel.write(new CloseWebSocketFrame()));
        assertClosed(channel);
    }

    /** The caller may be a timer's thread, on which the time-out of this close has to run. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotKeepItsCallerWaiting(boolean deflates) throws Exception {
        Channel channel = block(config(deflates).build());
        channel.close();
        channel.close();
        assertClosed(channel);
    }

    @Test
    void shouldFollowAFrameThatIsReadInTheEnd() throws Exception {
        Channel channel = block(config(true).build());
        start(channel::close);
        byte[] read = peer.readToEnd();
        Await.success(channel.getCloseFuture(), "the close");
        String end = new String(read, read.length - 4, 2, StandardCharsets.ISO_8859_1);
        assertEquals("\u0088\u0002", end, "the close frame");
    }
}
