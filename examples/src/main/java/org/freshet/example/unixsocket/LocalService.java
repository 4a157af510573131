package org.freshet.example.unixsocket;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.TrustedProxies;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** An HTTP service for a proxy on the same machine. The proxy sends the addresses of its clients. */
final class LocalService implements AutoCloseable {
    private static final int MAX_BYTES = 1024;

    private final Timer timer = new HashedWheelTimer();
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioUnixServerChannelFactory());
    private final Channel channel;

    LocalService(UnixDomainSocketAddress address) {
        bootstrap.setOption(ChannelOption.BACKLOG, 1024);
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .forwarded(TrustedProxies.xForwarded("127.0.0.0/8").withNonIpPeers())
                .aggregate(MAX_BYTES)
                .handler(
                        "application",
                        () -> RequestHandler.of(request ->
                                HttpResponses.text("you are " + request.source().address() + "\n")))
                .build());
        channel = bootstrap.bind(address);
    }

    SocketAddress address() {
        return channel.getLocalAddress();
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }
}
