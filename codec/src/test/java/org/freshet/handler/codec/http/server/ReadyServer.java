package org.freshet.handler.codec.http.server;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.util.HashedWheelTimer;

/**
 * A server with a ready-made pipeline on a real socket. It answers {@code /large} with 20 MB, {@code /silent} not at
 * all, {@code /throw} with an exception, and anything else with its target and the length of its content.
 */
public final class ReadyServer implements AutoCloseable {
    public enum Kind {
        NIO(NioServerSocketChannelFactory::new),
        OIO(OioServerSocketChannelFactory::new);

        private final Supplier<ChannelFactory> factory;

        Kind(Supplier<ChannelFactory> factory) {
            this.factory = factory;
        }
    }

    public static final int LARGE_BYTES = 20_000_000;
    static final int MAX_BYTES = 64 * 1024;

    public final DefaultChannelGroup open = new DefaultChannelGroup();

    /** The targets of the requests that the application has received. */
    public final List<String> targets = new CopyOnWriteArrayList<>();

    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final ServerBootstrap bootstrap;
    private final Channel channel;

    public ReadyServer(Kind kind, Consumer<HttpServerPipeline.Builder> settings) {
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(timer)
                .date(false)
                .aggregate(MAX_BYTES)
                .handler("application", Application::new);
        settings.accept(builder);
        bootstrap = new ServerBootstrap(kind.factory.get());
        bootstrap.setOption("child.tcpNoDelay", true);
        bootstrap.setPipelineFactory(builder.build());
        channel = bootstrap.bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            open.add(ctx.getChannel());
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpRequest request = (HttpRequest) e.getMessage();
            String target = request.getUri();
            targets.add(target);
            switch (target) {
                case "/large" -> ctx.getChannel().write(WireExchange.response(200, "x".repeat(LARGE_BYTES)));
                case "/silent" -> {}
                case "/throw" -> throw new IllegalStateException("a fault of the application");
                default ->
                    ctx.getChannel()
                            .write(WireExchange.response(
                                    200, target + " " + request.getContent().readableBytes()));
            }
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    public String url(String target) {
        return "http://127.0.0.1:" + address().getPort() + target;
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }
}
