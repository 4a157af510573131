package org.freshet.example.idle;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.timeout.IdleStateHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/**
 * A server and two clients in one program, over loopback. Neither client has data to send; one of them sends
 * heartbeats.
 */
public final class Idle implements AutoCloseable {
    private static final int SILENCE_MILLIS = 1200;
    private static final int HEARTBEAT_MILLIS = 300;
    private static final long MAX_WAIT_MILLIS = 20_000;

    /** One timer for all channels. Its tick is the precision of all times. */
    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);

    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory());

    private Idle() {
        ChannelHandler silence = new IdleStateHandler(timer, SILENCE_MILLIS, 0, 0, TimeUnit.MILLISECONDS);
        server.setPipelineFactory(() -> Channels.pipeline(silence, new HangUpHandler()));
    }

    public static void main(String[] args) throws InterruptedException {
        new Arguments("idle", 0, 0, args);
        System.out.println("idle: the server hangs up on a client that was silent for " + SILENCE_MILLIS + " ms;");
        System.out.println("ann sends a heartbeat after " + HEARTBEAT_MILLIS + " ms of silence, bob does not");
        boolean ok;
        try (Idle example = new Idle()) {
            ok = example.run();
        }
        System.out.println(ok ? "bob is disconnected, ann is not: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }

    /** Returns whether the server hung up on only one client. */
    private boolean run() throws InterruptedException {
        SocketAddress address = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress();
        ChannelHandler quiet = new IdleStateHandler(timer, 0, HEARTBEAT_MILLIS, 0, TimeUnit.MILLISECONDS);
        Channel ann = connect(address, () -> Channels.pipeline(quiet, new HeartbeatHandler("ann")));
        Channel bob = connect(address, () -> Channels.pipeline(new HeartbeatHandler("bob")));
        return bob.getCloseFuture().await(MAX_WAIT_MILLIS) && ann.isConnected();
    }

    private Channel connect(SocketAddress address, ChannelPipelineFactory pipelines) {
        clients.setPipelineFactory(pipelines);
        return clients.connect(address).syncUninterruptibly().getChannel();
    }

    /** Also closes the remaining connections. */
    @Override
    public void close() {
        clients.releaseExternalResources();
        server.releaseExternalResources();
        timer.stop();
    }
}
