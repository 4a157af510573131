package org.freshet.microbench.compare.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Netty 4.2 over NIO or its native transports, epoll and io_uring: one boss, one worker. It flushes once per read batch,
 * as its own guide recommends.
 */
final class Netty4Server implements PeerServer {
    private static final String RECEIVE_BUFFER = "child.receiveBufferSize";

    private final Assignment assignment;
    private final Netty4Pipelines pipelines;
    private final Class<? extends ServerChannel> acceptors;
    private final EventLoopGroup boss;
    private final EventLoopGroup worker;
    private Channel acceptor;

    private Netty4Server(Assignment assignment, IoHandlerFactory transport, Class<? extends ServerChannel> acceptors) {
        this.assignment = assignment;
        this.acceptors = acceptors;
        pipelines = new Netty4Pipelines(assignment);
        boss = new MultiThreadIoEventLoopGroup(1, transport);
        worker = new MultiThreadIoEventLoopGroup(assignment.loops(), transport);
    }

    static Netty4Server nio(Assignment assignment) {
        return new Netty4Server(assignment, NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }

    /** Serves HTTP/2 with frames instead of channels. */
    static Netty4Server nioOfFrames(Assignment assignment) {
        return nio(assignment.with(Netty4Http2.FRAMES, true));
    }

    static Netty4Server epoll(Assignment assignment) {
        return new Netty4Server(assignment, EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
    }

    static Netty4Server ioUring(Assignment assignment) {
        return new Netty4Server(assignment, IoUringIoHandler.newFactory(), IoUringServerSocketChannel.class);
    }

    @Override
    public int start() throws InterruptedException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(boss, worker)
                .channel(acceptors)
                .option(ChannelOption.SO_BACKLOG, Servers.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, assignment.tcpNoDelay())
                .childHandler(pipelines);
        if (assignment.options().containsKey(RECEIVE_BUFFER)) {
            bootstrap.childOption(ChannelOption.SO_RCVBUF, assignment.number(RECEIVE_BUFFER));
        }
        acceptor = bootstrap.bind(Servers.anyLoopbackPort()).sync().channel();
        return Servers.portOf(acceptor.localAddress());
    }

    /**
     * A loop closes its connections at the start of a round, and without a quiet period it may end before there is
     * another one. Only a period that starts within the loop surely leads to that round.
     */
    @Override
    public void close() {
        acceptor.close().awaitUninterruptibly(); // by itself: io_uring keeps one open that its loop closes at its end
        boss.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        worker.forEach(loop -> loop.execute(() -> loop.shutdownGracefully(100, 5_000, TimeUnit.MILLISECONDS)));
        worker.terminationFuture().awaitUninterruptibly();
        pipelines.close();
    }
}
