package org.freshet.example.websocketchat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketClientConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketHandler;

/** The server, and two members without a browser, over loopback. */
public final class WebSocketChat {
    private static final int MAX_WAIT_SECONDS = 10;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final InetSocketAddress server;

    private WebSocketChat(InetSocketAddress server) {
        this.server = server;
    }

    public static void main(String[] args) throws InterruptedException {
        new Arguments("websocket-chat", 0, 0, args);
        System.out.println("websocket-chat: one message to a group; websocket-chat-server shows it in a browser");
        boolean ok;
        try (WebSocketChatServer chat = new WebSocketChatServer()) {
            ok = new WebSocketChat(
                            (InetSocketAddress) chat.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                    .converse();
        }
        System.out.println(ok ? "both received everything: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }

    private boolean converse() throws InterruptedException {
        try {
            Member ann = new Member("Ann");
            Member bob = new Member("Bob");
            return ann.join()
                    && ann.hears("Ann is here")
                    && bob.join()
                    && ann.hears("Bob is here")
                    && bob.hears("Bob is here")
                    && ann.says("Hello, Bob")
                    && bob.hears("Ann: Hello, Bob")
                    && ann.hears("Ann: Hello, Bob")
                    && bob.leaves()
                    && ann.hears("Bob is gone");
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private final class Member extends WebSocketHandler {
        private final String name;
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private Channel channel;

        Member(String name) {
            this.name = name;
        }

        boolean join() throws InterruptedException {
            URI uri = URI.create("ws://localhost:" + server.getPort() + "/chat?name=" + name);
            WebSocketClientProtocolHandler webSocket = new WebSocketClientProtocolHandler(
                    WebSocketClientConfig.builder(uri).build());
            bootstrap.setPipelineFactory(() -> Channels.pipeline(new HttpClientCodec(), webSocket, this));
            ChannelFuture connected = bootstrap.connect(server).await();
            channel = connected.getChannel();
            return connected.isSuccess() && webSocket.handshakeFuture().await().isSuccess();
        }

        boolean says(String text) {
            channel.write(new TextWebSocketFrame(text));
            return true;
        }

        boolean hears(String expected) throws InterruptedException {
            String text = heard.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
            System.out.println(name + " hears: " + text);
            return expected.equals(text);
        }

        boolean leaves() throws InterruptedException {
            return channel.close().await(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            if (frame instanceof TextWebSocketFrame text) {
                heard.add(text.getText());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            System.err.println("connection failed: " + e.getCause());
            e.getChannel().close();
        }
    }
}
