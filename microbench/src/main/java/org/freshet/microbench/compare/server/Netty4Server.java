package org.freshet.microbench.compare.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.concurrent.TimeUnit;

/** Netty 4.2 over NIO: one boss, one worker; it flushes once a read batch, as its own guide advises. */
final class Netty4Server implements PeerServer {
    private static final String RECEIVE_BUFFER = "child.receiveBufferSize";

    private final Assignment assignment;
    private final Netty4Pipelines pipelines;
    private final EventLoopGroup boss = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup worker = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    Netty4Server(Assignment assignment) {
        this.assignment = assignment;
        pipelines = new Netty4Pipelines(assignment);
    }

    @Override
    public int start() throws InterruptedException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(boss, worker)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, Servers.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, assignment.tcpNoDelay())
                .childHandler(pipelines);
        if (assignment.options().containsKey(RECEIVE_BUFFER)) {
            bootstrap.childOption(ChannelOption.SO_RCVBUF, assignment.number(RECEIVE_BUFFER));
        }
        return Servers.portOf(
                bootstrap.bind(Servers.anyLoopbackPort()).sync().channel().localAddress());
    }

    @Override
    public void close() {
        boss.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        worker.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        pipelines.close();
    }
}
