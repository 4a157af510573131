package org.freshet.example.websocketecho;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.CloseWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketClientConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketFrameAggregator;
import org.freshet.handler.codec.http.websocketx.WebSocketHandler;

/** Sends messages of all kinds to any echo server, and compares the answers. */
public final class WebSocketEchoClient {
    private static final int MAX_WAIT_SECONDS = 10;
    private static final int LARGE = 1 << 20;

    private final URI uri;
    private final BlockingQueue<WebSocketFrame> received = new LinkedBlockingQueue<>();

    WebSocketEchoClient(URI uri) {
        this.uri = uri;
    }

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("websocket-echo-client URI", 1, 1, args);
        boolean ok;
        try {
            ok = new WebSocketEchoClient(URI.create(arguments.text(0))).converse();
        } catch (IllegalArgumentException notWebSocket) {
            throw arguments.refuse(notWebSocket.getMessage());
        }
        System.out.println(ok ? "every message came back: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }

    boolean converse() throws InterruptedException {
        WebSocketClientConfig config = WebSocketClientConfig.builder(uri).build();
        WebSocketClientProtocolHandler webSocket = new WebSocketClientProtocolHandler(config);
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new HttpClientCodec(), webSocket, new WebSocketFrameAggregator(2 * LARGE), new Receiver()));
        try {
            int port = uri.getPort() == -1 ? 80 : uri.getPort();
            ChannelFuture connected = bootstrap
                    .connect(new InetSocketAddress(uri.getHost(), port))
                    .await();
            if (!connected.isSuccess() || !webSocket.handshakeFuture().await().isSuccess()) {
                Throwable cause =
                        connected.isSuccess() ? webSocket.handshakeFuture().getCause() : connected.getCause();
                System.out.println("no connection to " + uri + ": " + cause.getMessage());
                return false;
            }
            return echoes(connected.getChannel()) && closes(connected.getChannel());
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private boolean echoes(Channel channel) throws InterruptedException {
        channel.write(new TextWebSocketFrame("Grüße"));
        channel.write(new TextWebSocketFrame(false, 0, "in "));
        channel.write(new ContinuationWebSocketFrame(true, 0, "fragments"));
        channel.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[LARGE])));
        return isText("Grüße")
                && isText("in fragments")
                && next() instanceof BinaryWebSocketFrame large
                && large.getBinaryData().readableBytes() == LARGE;
    }

    private boolean isText(String expected) throws InterruptedException {
        return next() instanceof TextWebSocketFrame text && text.getText().equals(expected);
    }

    private WebSocketFrame next() throws InterruptedException {
        WebSocketFrame frame = received.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        String what = frame instanceof TextWebSocketFrame text
                ? text.getText()
                : frame == null ? "nothing" : frame.getBinaryData().readableBytes() + " bytes";
        System.out.println("< " + what);
        return frame;
    }

    /** The server closes the connection after it has answered. */
    private static boolean closes(Channel channel) throws InterruptedException {
        channel.write(new CloseWebSocketFrame(1000, "done"));
        return channel.getCloseFuture().await(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private final class Receiver extends WebSocketHandler {
        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            received.add(frame);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            System.err.println("connection failed: " + e.getCause());
            e.getChannel().close();
        }
    }
}
