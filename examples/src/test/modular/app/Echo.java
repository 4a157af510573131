package app;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;

/** A line goes from the blocking transport over the non-blocking one and back. */
public final class Echo {
    private Echo() {}

    private static ChannelPipeline lines(ChannelHandler handler) {
        return Channels.pipeline(new LineBasedFrameDecoder(100), new StringDecoder(), new StringEncoder(), handler);
    }

    public static void main(String[] args) throws Exception {
        ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        server.setPipelineFactory(() -> lines(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                e.getChannel().write(e.getMessage() + "\n");
            }
        }));
        CompletableFuture<Object> echoed = new CompletableFuture<>();
        ClientBootstrap client = new ClientBootstrap(new OioClientSocketChannelFactory(Executors.newCachedThreadPool()));
        client.setPipelineFactory(() -> lines(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                echoed.complete(e.getMessage());
            }
        }));
        try {
            Channel listener = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Channel channel = client.connect(listener.getLocalAddress()).await().getChannel();
            channel.write("hello\n");
            System.out.println(echoed.get(30, TimeUnit.SECONDS) + " from " + Channel.class.getModule().getName());
            channel.close().await();
        } finally {
            client.releaseExternalResources();
            server.releaseExternalResources();
        }
    }
}
