package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.Tls;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.ServerChannelFactory;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.group.ChannelGroup;
import org.jboss.netty.channel.group.DefaultChannelGroup;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;
import org.jboss.netty.channel.socket.oio.OioServerSocketChannelFactory;
import org.jboss.netty.handler.ssl.SslHandler;

/** Netty 3.10.6 over NIO, with one boss and one worker, or over OIO. */
final class Netty3Server implements PeerServer {
    private final ChannelGroup listeners = new DefaultChannelGroup();
    private final Role role;
    private final ServerBootstrap bootstrap;
    private Channel acceptor;

    Netty3Server(Role role, ServerChannelFactory transport) {
        this.role = role;
        this.bootstrap = new ServerBootstrap(transport);
    }

    static ServerChannelFactory nio() {
        ExecutorService threads = Executors.newCachedThreadPool();
        return new NioServerSocketChannelFactory(threads, 1, threads, 1);
    }

    static ServerChannelFactory oio() {
        ExecutorService threads = Executors.newCachedThreadPool();
        return new OioServerSocketChannelFactory(threads, threads);
    }

    @Override
    public int start() {
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
            case FANOUT -> Channels.pipeline(new Fanout());
            case TLS -> Channels.pipeline(new SslHandler(Tls.serverEngine()), new Echo());
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

    private final class Fanout extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext context, ChannelStateEvent event) {
            listeners.add(event.getChannel());
            event.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[] {FanoutLoad.GREETING}));
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            listeners.write(event.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
            event.getChannel().close();
        }
    }
}
