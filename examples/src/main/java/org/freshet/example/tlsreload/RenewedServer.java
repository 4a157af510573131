package org.freshet.example.tlsreload;

import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.ssl.ReloadableSslContext;
import org.freshet.handler.ssl.SslContextBuilder;

/** Echoes over TLS, and checks at intervals whether its certificate has been renewed. */
final class RenewedServer implements AutoCloseable {
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Channel channel;

    RenewedServer(File chain, File key, long everyMillis) throws SSLException {
        ReloadableSslContext tls = SslContextBuilder.forServer(chain, key).buildReloadable();
        scheduler.scheduleWithFixedDelay(tls::reloadIfChanged, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(tls.newHandler(), new Echo()));
        channel = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    InetSocketAddress address() {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        bootstrap.releaseExternalResources();
    }
}
