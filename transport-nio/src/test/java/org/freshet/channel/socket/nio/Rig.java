package org.freshet.channel.socket.nio;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.testing.Await;

/** Two factories and common test operations; closing it ends every thread and channel. */
final class Rig implements AutoCloseable {
    static final InetSocketAddress FREE_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    final NioServerSocketChannelFactory servers;
    final NioClientSocketChannelFactory clients;

    /** Null for none. */
    private AcceptGuard guard;

    Rig() {
        this(new NioServerSocketChannelFactory(2), new NioClientSocketChannelFactory(2));
    }

    Rig(NioServerSocketChannelFactory servers, NioClientSocketChannelFactory clients) {
        this.servers = servers;
        this.clients = clients;
    }

    /** Options for servers bound from now on. */
    void guard(AcceptGuard chosen) {
        guard = chosen;
    }

    /** Listens on a free loopback port. */
    Channel bind(ChannelPipelineFactory pipelines, Map<String, Object> options) {
        ServerBootstrap bootstrap = new ServerBootstrap(servers);
        bootstrap.setPipelineFactory(pipelines);
        bootstrap.setOptions(options);
        bootstrap.setAcceptGuard(guard);
        return bootstrap.bind(FREE_PORT);
    }

    /** A server that gives every connection the same sharable handler, or its only connection this one. */
    Channel bind(ChannelHandler handler) {
        return bind(() -> Channels.pipeline(handler), Map.of());
    }

    ChannelFuture connect(Channel server, ChannelHandler handler) {
        return connect(server, handler, Map.of());
    }

    ChannelFuture connect(Channel server, ChannelHandler handler, Map<String, Object> options) {
        ClientBootstrap bootstrap = new ClientBootstrap(clients);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler));
        bootstrap.setOptions(options);
        return bootstrap.connect(server.getLocalAddress());
    }

    Channel connected(Channel server, ChannelHandler handler) {
        return Await.success(connect(server, handler), "a connection").getChannel();
    }

    /** Runs a task on a channel's thread and waits for it. */
    static void onLoop(Channel channel, Runnable task) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Await.done(
                channel.getPipeline().execute(() -> {
                    try {
                        task.run();
                    } catch (Throwable t) {
                        failure.set(t);
                    }
                }),
                "a task on the loop");
        if (failure.get() != null) {
            throw new AssertionError("the task on the loop failed", failure.get());
        }
    }

    /** Runs an action while the channel's loop does nothing. */
    static void holding(Channel channel, Action action) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        ChannelFuture done = channel.getPipeline().execute(() -> {
            held.countDown();
            Await.latch(released, "the release of the loop");
        });
        try {
            Await.latch(held, "the hold of the loop");
            action.run();
        } finally {
            released.countDown();
        }
        Await.success(done, "the hold");
    }

    interface Action {
        void run() throws Exception;
    }

    @Override
    public void close() {
        clients.releaseExternalResources();
        servers.releaseExternalResources();
    }
}
