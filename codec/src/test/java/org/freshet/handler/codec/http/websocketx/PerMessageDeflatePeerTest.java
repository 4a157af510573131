package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketClientExtensionHandler;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateClientExtensionHandshaker;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compressed messages between Freshet and Netty 4.2, which echoes them, in both roles and with everything that can be
 * negotiated.
 */
class PerMessageDeflatePeerTest {
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final List<String> texts = texts();

    /** Netty's channels; loops that are shut down may leave one open. */
    private final Queue<io.netty.channel.Channel> nettyChannels = new ConcurrentLinkedQueue<>();

    @AfterEach
    void endLoops() {
        nettyChannels.forEach(channel -> channel.close().awaitUninterruptibly());
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static List<String> texts() {
        Random random = Seeds.random();
        List<String> texts = new ArrayList<>(List.of("", "short", "same ".repeat(100), "same ".repeat(100)));
        for (int i = 0; i < 20; i++) {
            StringBuilder text = new StringBuilder();
            for (int words = random.nextInt(3000); words > 0; words--) {
                text.append("wörd水").append(random.nextInt(500)).append(' ');
            }
            texts.add(text.toString());
        }
        return texts;
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldTalkToANettyClient(boolean serverTakeover, boolean clientTakeover) throws Exception {
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory())) {
            Channel server =
                    rig.listen(() -> new AutobahnTestee.ServerSide(List.of(deflate(serverTakeover, clientTakeover))));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            new Bootstrap()
                    .group(loops)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            nettyChannels.add(channel);
                            URI url = URI.create("ws://127.0.0.1:" + port + "/");
                            channel.pipeline()
                                    .addLast(new io.netty.handler.codec.http.HttpClientCodec())
                                    .addLast(new HttpObjectAggregator(8192))
                                    .addLast(new WebSocketClientExtensionHandler(
                                            new PerMessageDeflateClientExtensionHandshaker(
                                                    6, false, 15, !clientTakeover, !serverTakeover, 0)))
                                    .addLast(new WebSocketClientProtocolHandler(
                                            url,
                                            io.netty.handler.codec.http.websocketx.WebSocketVersion.V13,
                                            null,
                                            true,
                                            new DefaultHttpHeaders(),
                                            1 << 20))
                                    .addLast(new NettySender());
                        }
                    })
                    .connect(InetAddress.getLoopbackAddress(), port)
                    .syncUninterruptibly();
            assertAllWereEchoed();
        }
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldTalkToANettyServer(boolean serverTakeover, boolean clientTakeover) throws Exception {
        io.netty.channel.Channel server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        nettyChannels.add(channel);
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(8192))
                                .addLast(new WebSocketServerExtensionHandler(
                                        new PerMessageDeflateServerExtensionHandshaker(6, false, 15, true, true, 0)))
                                .addLast(new WebSocketServerProtocolHandler("/", null, true, 1 << 20))
                                .addLast(new NettyEcho());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory())) {
            InetSocketAddress address = (InetSocketAddress) server.localAddress();
            URI url = URI.create("ws://127.0.0.1:" + address.getPort() + "/");
            rig.connect(address, new Client(url, deflate(serverTakeover, clientTakeover)));
            assertAllWereEchoed();
        } finally {
            server.close().syncUninterruptibly();
        }
    }

    private static PerMessageDeflate deflate(boolean serverTakeover, boolean clientTakeover) {
        return PerMessageDeflate.builder()
                .serverContextTakeover(serverTakeover)
                .clientContextTakeover(clientTakeover)
                .threshold(1)
                .build();
    }

    private void assertAllWereEchoed() throws InterruptedException {
        String agreed = received.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(agreed.contains("permessage"), agreed);
        for (String text : texts) {
            assertEquals(text, received.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private static final class NettyEcho extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }

    private final class NettySender extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == WebSocketClientProtocolHandler.ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                received.add(ctx.pipeline().names().toString().replace("PerMessage", "permessage"));
                for (String text : texts) {
                    ctx.writeAndFlush(new io.netty.handler.codec.http.websocketx.TextWebSocketFrame(text));
                }
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            io.netty.handler.codec.http.websocketx.TextWebSocketFrame frame =
                    (io.netty.handler.codec.http.websocketx.TextWebSocketFrame) message;
            received.add(frame.text());
            frame.release();
        }
    }

    private final class Client extends SimpleChannelUpstreamHandler {
        private final WebSocketClientHandshaker13 handshaker;

        Client(URI url, PerMessageDeflate deflate) {
            handshaker = new WebSocketClientHandshaker13(url, null, null, HttpLimits.defaults(), List.of(deflate));
        }

        @Override
        public void channelConnected(org.freshet.channel.ChannelHandlerContext ctx, ChannelStateEvent e)
                throws Exception {
            ctx.getPipeline().addFirst("http", new HttpClientCodec());
            handshaker.handshake(ctx.getChannel());
        }

        @Override
        public void messageReceived(org.freshet.channel.ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpResponse response) {
                received.add(String.valueOf(response.headers().get("Sec-WebSocket-Extensions")));
                handshaker.finishHandshake(ctx.getChannel(), response);
                texts.forEach(text -> ctx.getChannel().write(new TextWebSocketFrame(text)));
            } else {
                received.add(((TextWebSocketFrame) e.getMessage()).getText());
            }
        }
    }
}
