package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;

/** Netty 3.10.6 over NIO: one boss, one worker. */
final class Netty3Server implements PeerServer {
    private final Role role;
    private ServerBootstrap bootstrap;
    private Channel acceptor;

    Netty3Server(Role role) {
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
