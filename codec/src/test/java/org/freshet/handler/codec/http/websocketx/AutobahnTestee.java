package org.freshet.handler.codec.http.websocketx;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.http2.Http2StreamChannel;
import org.freshet.testing.Rig;

/**
 * The server and clients that Autobahn|Testsuite talks to; they echo each message. The README next to the tests
 * explains how to run all cases; {@link AutobahnTest} runs some.
 */
final class AutobahnTestee implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
    private static final long CASE_SECONDS = 1800;

    private static final HttpLimits LIMITS = HttpLimits.defaults().toBuilder()
            .maxWebSocketFrameSize(MAX_MESSAGE_BYTES)
            .maxWebSocketMessageSize(MAX_MESSAGE_BYTES)
            .build();

    /** Everything that can be negotiated, so that the suite decides. */
    private static final List<WebSocketExtensionNegotiator> EXTENSIONS = List.of(PerMessageDeflate.builder()
            .serverContextTakeover(true)
            .clientContextTakeover(true)
            .threshold(0)
            .build());

    /** Null for HTTP/1.1. */
    private Http2ClientConnection http2;

    private final Rig rig = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory());

    /**
     * Either {@code server PORT}, which runs until it is stopped, or {@code client URL [FIRST [LAST]]}, which runs the
     * cases of a fuzzing server from FIRST to LAST, by default all.
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 2 && args[0].equals("server")) {
            new AutobahnTestee()
                    .listen(Integer.parseInt(args[1]))
                    .getCloseFuture()
                    .awaitUninterruptibly();
        } else if (args.length >= 2 && args[0].equals("client")) {
            try (AutobahnTestee testee = new AutobahnTestee()) {
                URI server = URI.create(args[1]);
                int first = args.length > 2 ? Integer.parseInt(args[2]) : 1;
                int last = args.length > 3 ? Integer.parseInt(args[3]) : testee.countCases(server);
                testee.runCases(server, first, last);
            }
        } else {
            throw new IllegalArgumentException("neither server PORT nor client URL [FIRST [LAST]]");
        }
    }

    Channel listen(int port) {
        return rig.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), () -> new ServerSide(EXTENSIONS));
    }

    /** Listens for WebSocket over HTTP/2 on a free port. */
    Channel listenHttp2() {
        Http2Settings settings =
                Http2Settings.defaults().toBuilder().webSocket(true).build();
        return rig.listen(() -> new Http2ServerHandler(() -> Channels.pipeline(new ServerSide(EXTENSIONS)), settings));
    }

    /** From now on all cases are streams of one connection. */
    void connectHttp2(InetSocketAddress server) {
        http2 = Http2ClientConnection.of(rig.connect(server, new Http2ClientHandler()));
    }

    /** Returns how many cases a fuzzing server has. */
    int countCases(URI server) throws Exception {
        return Integer.parseInt(converse(server.resolve("/getCaseCount?agent=Freshet")));
    }

    /** Runs cases of a fuzzing server and makes it write its report. */
    void runCases(URI server, int first, int last) throws Exception {
        for (int number = first; number <= last; number++) {
            converse(server.resolve("/runCase?case=" + number + "&agent=Freshet"));
        }
        converse(server.resolve("/updateReports?agent=Freshet"));
    }

    /** Echoes until the server closes; returns the last text. */
    private String converse(URI url) throws Exception {
        ClientSide client = new ClientSide(url);
        if (http2 == null) {
            rig.connect(new InetSocketAddress(url.getHost(), url.getPort()), client);
        } else {
            http2.open(Channels.pipeline(client));
        }
        return client.lastText.get(CASE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        rig.close();
    }

    /** Shared by both sides. */
    private abstract static class EchoSide extends SimpleChannelUpstreamHandler {
        String text;

        void onFrame(Channel channel, WebSocketFrame frame) {
            if (frame instanceof PingWebSocketFrame ping) {
                channel.write(new PongWebSocketFrame(ping.getBinaryData()));
            } else if (frame instanceof CloseWebSocketFrame close) {
                onClose(channel, close);
            } else if (!(frame instanceof PongWebSocketFrame)) {
                text = frame instanceof TextWebSocketFrame received ? received.getText() : null;
                channel.write(frame);
            }
        }

        abstract void onClose(Channel channel, CloseWebSocketFrame frame);

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            // The suite sends errors on purpose; the decoder closes the connection.
        }
    }

    /** A server handler that upgrades and then echoes messages. */
    static final class ServerSide extends EchoSide {
        private final List<WebSocketExtensionNegotiator> extensions;
        private WebSocketServerHandshaker13 handshaker;

        ServerSide(List<WebSocketExtensionNegotiator> extensions) {
            this.extensions = extensions;
        }

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (!(e.getChannel() instanceof Http2StreamChannel)) {
                ctx.getPipeline().addFirst("http", new HttpServerCodec());
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest request) {
                handshaker = new WebSocketServerHandshaker13(null, null, LIMITS, extensions);
                ctx.getPipeline().addBefore(ctx.getName(), "whole", new WebSocketFrameAggregator(MAX_MESSAGE_BYTES));
                handshaker.handshake(ctx.getChannel(), request);
            } else if (e.getMessage() instanceof WebSocketFrame frame) {
                onFrame(ctx.getChannel(), frame);
            }
        }

        @Override
        void onClose(Channel channel, CloseWebSocketFrame frame) {
            handshaker.close(channel, frame);
        }
    }

    private static final class ClientSide extends EchoSide {
        final CompletableFuture<String> lastText = new CompletableFuture<>();
        private final WebSocketClientHandshaker13 handshaker;

        ClientSide(URI url) {
            handshaker = new WebSocketClientHandshaker13(url, null, null, LIMITS, EXTENSIONS);
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
            if (!(e.getChannel() instanceof Http2StreamChannel)) {
                ctx.getPipeline().addFirst("http", new HttpClientCodec());
            }
            handshaker.handshake(ctx.getChannel());
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpResponse response) {
                ctx.getPipeline().addBefore(ctx.getName(), "whole", new WebSocketFrameAggregator(MAX_MESSAGE_BYTES));
                handshaker.finishHandshake(ctx.getChannel(), response);
            } else if (e.getMessage() instanceof WebSocketFrame frame) {
                onFrame(ctx.getChannel(), frame);
            }
        }

        /** The server closes the connection after it has seen the answer. */
        @Override
        void onClose(Channel channel, CloseWebSocketFrame frame) {
            channel.write(frame);
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            lastText.complete(text);
        }
    }
}
