package org.freshet.handler.codec.stomp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.Test;

/**
 * The client {@code @stomp/stompjs} over Freshet's WebSocket. Skipped unless {@code NODE_PATH} leads to it and to
 * {@code ws}.
 */
class StompJsTest {
    private static final String TEXT = "Grüße €𐍈, a:b\\c";

    /** Subscribes, publishes, receives its message back, and disconnects with a receipt, each in turn. */
    private static final String CLIENT = "Object.assign(global, {WebSocket: require('ws')});"
            + "const {Client} = require('@stomp/stompjs');"
            + "const c = new Client({brokerURL: process.argv[1], reconnectDelay: 0});"
            + "c.onConnect = f => { console.log('connected', f.headers.version, f.headers['heart-beat']);"
            + " c.subscribe('/topic/a', m => { console.log('heard', m.body, m.headers.note, m.body.length);"
            + "  if (m.body.length < 1000) {"
            + "   c.publish({destination: '/topic/a', body: 'x'.repeat(100000), headers: {note: 'long'}});"
            + "  } else { c.deactivate().then(() => console.log('left')); } });"
            + " c.publish({destination: '/topic/a', body: '" + TEXT.replace("\\", "\\\\")
            + "', headers: {note: 'x:y\\n\\\\z'}}); };"
            + "c.onStompError = f => console.log('error', f.headers.message);"
            + "c.activate();";

    /** Each WebSocket message is a piece of the stream of frames. */
    private static final class OverWebSocket extends SimpleChannelHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Channels.fireMessageReceived(ctx, ((WebSocketFrame) e.getMessage()).getBinaryData());
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            boolean isStomp = e.getMessage() instanceof ChannelBuffer; // or the handshake's answer
            Object message = isStomp ? new TextWebSocketFrame((ChannelBuffer) e.getMessage()) : e.getMessage();
            Channels.write(ctx, e.getFuture(), message);
        }
    }

    /** A broker for one client. */
    private static final class Broker extends SimpleChannelUpstreamHandler {
        private final Map<String, String> subscriptions = new TreeMap<>();
        private int messages;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            StompFrame frame = (StompFrame) e.getMessage();
            StompHeaders headers = frame.headers();
            switch (frame.command()) {
                case CONNECT, STOMP -> {
                    StompFrame connected = new StompFrame(StompCommand.CONNECTED);
                    connected
                            .headers()
                            .set(
                                    StompHeaders.VERSION,
                                    StompVersion.highestOf(headers.get(StompHeaders.ACCEPT_VERSION))
                                            .toString());
                    e.getChannel().write(connected);
                }
                case SUBSCRIBE ->
                    subscriptions.put(headers.get(StompHeaders.DESTINATION), headers.get(StompHeaders.ID));
                case SEND -> e.getChannel().write(message(frame));
                default -> {
                    StompFrame receipt = new StompFrame(StompCommand.RECEIPT);
                    receipt.headers().set(StompHeaders.RECEIPT_ID, headers.get(StompHeaders.RECEIPT));
                    e.getChannel().write(receipt);
                }
            }
        }

        private StompFrame message(StompFrame sent) {
            String destination = sent.headers().get(StompHeaders.DESTINATION);
            StompFrame message = new StompFrame(StompCommand.MESSAGE);
            message.headers().set(StompHeaders.SUBSCRIPTION, subscriptions.get(destination));
            message.headers().set(StompHeaders.MESSAGE_ID, String.valueOf(++messages));
            message.headers().set(StompHeaders.DESTINATION, destination);
            message.headers().set("note", sent.headers().get("note"));
            return message.setContent(sent.content());
        }
    }

    private static Process node(String... arguments) throws IOException {
        String[] command = new String[arguments.length + 2];
        command[0] = "node";
        command[1] = "-e";
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return process;
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean isThere() throws InterruptedException {
        try {
            return node("require('ws'); require('@stomp/stompjs')").waitFor() == 0;
        } catch (IOException noNode) {
            return false;
        }
    }

    @Test
    void shouldServeStompJsOverWebSocket() throws Exception {
        assumeTrue(isThere(), "node with @stomp/stompjs and ws");
        HashedWheelTimer timer = new HashedWheelTimer();
        ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
        WebSocketServerConfig config = WebSocketServerConfig.builder("/stomp")
                .subprotocols("v12.stomp", "v11.stomp", "v10.stomp")
                .build();
        server.setPipelineFactory(() -> Channels.pipeline(
                new HttpServerCodec(),
                new WebSocketServerProtocolHandler(config),
                new OverWebSocket(),
                new StompFrameDecoder(),
                new StompFrameEncoder(),
                new StompHeartBeatHandler(timer, Duration.ofSeconds(20), Duration.ofSeconds(20)),
                new StompFrameAggregator(1 << 20),
                new Broker()));
        try {
            Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) bound.getLocalAddress()).getPort();
            Process client = node(CLIENT, "ws://127.0.0.1:" + port + "/stomp");
            try {
                String said = Await.result(CompletableFuture.supplyAsync(() -> read(client)), "the end of stompjs");
                assertEquals(
                        "connected 1.2 20000,20000\n"
                                + "heard " + TEXT + " x:y\n\\z " + TEXT.length() + "\n"
                                + "heard " + "x".repeat(100_000) + " long 100000\n"
                                + "left\n",
                        said);
            } finally {
                client.destroyForcibly().waitFor();
            }
        } finally {
            server.releaseExternalResources();
            timer.stop();
        }
    }
}
