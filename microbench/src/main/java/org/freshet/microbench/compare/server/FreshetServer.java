package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;

/** Freshet over NIO: one boss, one worker. */
final class FreshetServer implements PeerServer {
    private final Role role;
    private ServerBootstrap bootstrap;
    private Channel acceptor;

    FreshetServer(Role role) {
        this.role = role;
    }

    @Override
    public int start() {
        ExecutorService threads = Executors.newCachedThreadPool();
        bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(threads, 1, threads, 1));
        bootstrap.setOption("backlog", Servers.BACKLOG);
        bootstrap.setOption("child.tcpNoDelay", true);
        bootstrap.setPipelineFactory(this::pipeline);
        acceptor = bootstrap.bind(Servers.anyLoopbackPort());
        return Servers.portOf(acceptor.getLocalAddress());
    }

    @Override
    public void close() {
        acceptor.close().awaitUninterruptibly();
        bootstrap.releaseExternalResources();
    }

    private ChannelPipeline pipeline() {
        return switch (role) {
            case ECHO -> Channels.pipeline(new Echo());
        };
    }

    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(event.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
            event.getChannel().close();
        }
    }
}
