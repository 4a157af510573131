package org.freshet.example.timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;

/**
 * Connects twice to a listener that never answers. {@code connectTimeoutMillis} fails the connect itself. The time-out
 * of {@link ChannelFuture#await(long)} only ends the wait; the connect continues until it is cancelled.
 */
public final class ConnectTimeouts {
    /** Enough to fill a backlog of one: the kernel takes one or two more than asked. */
    private static final int FILLERS = 8;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());

    private ConnectTimeouts() {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Quiet()));
    }

    public static void main(String[] args) throws Exception {
        new Arguments("timeout", 0, 0, args);
        System.out.println(
                "timeout: two clocks on a connect to a server that does not answer: the channel's connect time-out,");
        System.out.println("which ends the attempt, and the time-out of an await, which only ends the wait");
        ConnectTimeouts example = new ConnectTimeouts();
        List<SocketChannel> fillers = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fill(silent.getLocalSocketAddress(), fillers);
            example.connect(silent.getLocalSocketAddress(), 100, 2000);
            System.out.println("-----");
            example.connect(silent.getLocalSocketAddress(), 2000, 100);
        } finally {
            for (SocketChannel filler : fillers) {
                filler.close();
            }
            example.bootstrap.releaseExternalResources();
        }
    }

    private static void fill(SocketAddress address, List<SocketChannel> fillers) throws IOException {
        for (int i = 0; i < FILLERS; i++) {
            SocketChannel filler = SocketChannel.open();
            filler.configureBlocking(false);
            filler.connect(address);
            fillers.add(filler);
        }
    }

    private void connect(SocketAddress address, int connectTimeoutMillis, int awaitMillis) throws InterruptedException {
        System.out.println("connect time-out " + connectTimeoutMillis + " ms, await " + awaitMillis + " ms:");
        bootstrap.setOption("connectTimeoutMillis", connectTimeoutMillis);
        ChannelFuture future = bootstrap.connect(address);
        future.addListener(ConnectTimeouts::report);
        if (future.await(awaitMillis)) {
            System.out.println("  await, on main: the future was done in time");
        } else {
            System.out.println("  await, on main: still connecting, so it is cancelled: " + future.cancel());
        }
        future.getChannel().getCloseFuture().await();
        System.out.println("  the channel is closed");
    }

    private static void report(ChannelFuture future) {
        String outcome = future.isCancelled() ? "cancelled" : future.isSuccess() ? "connected" : "" + future.getCause();
        System.out.println("  listener, on " + Thread.currentThread().getName() + ": " + outcome);
    }

    /** The future's listener reports the failure; this handler avoids a second report. */
    private static final class Quiet extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }
}
