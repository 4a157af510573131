package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.Tls;

/** Freshet over NIO, with one boss and one worker, or over OIO. */
final class FreshetServer implements PeerServer {
    private final ChannelGroup listeners = new DefaultChannelGroup();
    private final Role role;
    private final ServerBootstrap bootstrap;
    private Channel acceptor;

    FreshetServer(Role role, ServerChannelFactory transport) {
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

    /** On virtual threads, as it runs by itself where there are any. */
    static ServerChannelFactory virtualOio() {
        return new OioServerSocketChannelFactory();
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
