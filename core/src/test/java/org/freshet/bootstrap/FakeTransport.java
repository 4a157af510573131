package org.freshet.bootstrap;

import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.AbstractServerChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.channel.DefaultChildChannelStateEvent;
import org.freshet.channel.DefaultServerChannelConfig;
import org.freshet.channel.ServerChannel;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.options.ChildOptions;
import org.freshet.internal.options.OptionTable;

/**
 * Channels without sockets. Binding and connecting succeed immediately, fail as configured, or wait until the test
 * releases them.
 *
 * <p>The calling thread acts as the I/O thread, unless {@link #callerIsIoThread} is set to make it the bound one.
 */
final class FakeTransport {
    final List<String> calls = new ArrayList<>();
    final List<Channel> opened = new ArrayList<>();
    Throwable bindFailure;
    Throwable connectFailure;
    RuntimeException openFailure;
    boolean holding;
    boolean callerIsIoThread;
    private final Queue<Runnable> held = new ArrayDeque<>();

    ChannelFactory clientFactory() {
        return new ClientFactory();
    }

    ServerChannelFactory serverFactory() {
        return new ServerFactory();
    }

    Channel lastOpened() {
        return opened.get(opened.size() - 1);
    }

    /** Carries out a transport operation, unless {@link #holding} postpones it. */
    void letGo() {
        holding = false;
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    /** Carries out the first postponed operation, and postpones whatever follows from it. */
    void letGoOne() {
        held.remove().run();
    }

    private void operate(Runnable operation) {
        if (holding) {
            held.add(operation);
        } else {
            operation.run();
        }
    }

    private class Factory {
        public void shutdown() {
            calls.add("shutdown");
        }

        public void releaseExternalResources() {
            calls.add("releaseExternalResources");
        }
    }

    private final class ClientFactory extends Factory implements ChannelFactory {
        @Override
        public Channel newChannel(ChannelPipeline pipeline) {
            if (openFailure != null) {
                throw openFailure;
            }
            FakeChannel channel = new FakeChannel(null, this, pipeline);
            opened.add(channel);
            Channels.fireChannelOpen(channel);
            return channel;
        }
    }

    private final class ServerFactory extends Factory implements ServerChannelFactory {
        @Override
        public ServerChannel newChannel(ChannelPipeline pipeline) {
            if (openFailure != null) {
                throw openFailure;
            }
            FakeServerChannel channel = new FakeServerChannel(this, pipeline);
            opened.add(channel);
            Channels.fireChannelOpen(channel);
            return channel;
        }
    }

    /** Carries out the requests of bootstraps on a channel. */
    private final class Sink extends AbstractChannelSink {
        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
            ChannelStateEvent event = (ChannelStateEvent) e;
            FakeEnd channel = (FakeEnd) e.getChannel();
            if (event.getState() == ChannelState.OPEN) {
                calls.add("close");
                channel.end();
            } else if (event.getState() == ChannelState.BOUND) {
                calls.add("bind " + event.getValue());
                operate(() -> bind(channel, e.getFuture(), (SocketAddress) event.getValue()));
            } else {
                calls.add("connect " + event.getValue());
                operate(() -> connect((FakeChannel) channel, e.getFuture(), (SocketAddress) event.getValue()));
            }
        }

        private void bind(FakeEnd channel, ChannelFuture future, SocketAddress address) {
            if (bindFailure != null) {
                future.setFailure(bindFailure);
                return;
            }
            channel.boundTo(address);
            future.setSuccess();
        }

        private void connect(FakeChannel channel, ChannelFuture future, SocketAddress address) {
            if (connectFailure != null) {
                future.setFailure(connectFailure);
            } else if (future.setSuccess()) {
                channel.remote = address;
            }
        }
    }

    /** Shared by clients and servers. */
    interface FakeEnd extends IoThreadBound {
        void boundTo(SocketAddress address);

        void end();
    }

    final class FakeChannel extends AbstractChannel implements FakeEnd {
        private final ChannelConfig config = new DefaultChannelConfig();
        private SocketAddress local;
        private SocketAddress remote;

        FakeChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline) {
            super(parent, factory, pipeline, new Sink());
        }

        @Override
        public ChannelConfig getConfig() {
            return config;
        }

        @Override
        public boolean isBound() {
            return local != null;
        }

        @Override
        public boolean isConnected() {
            return remote != null;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return local;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return remote;
        }

        @Override
        public void boundTo(SocketAddress address) {
            local = address;
        }

        @Override
        public void end() {
            setClosed();
        }

        @Override
        public boolean inIoThread() {
            return callerIsIoThread;
        }

        @Override
        public void runLater(Runnable task) {
            task.run();
        }
    }

    final class FakeServerChannel extends AbstractServerChannel implements FakeEnd {
        private final ChannelConfig config = new ServerConfig();
        private SocketAddress local;

        FakeServerChannel(ChannelFactory factory, ChannelPipeline pipeline) {
            super(factory, pipeline, new Sink());
        }

        /** Accepts a connection as a boss does: the parent is notified first. */
        FakeChannel accept() throws Exception {
            ChannelPipeline pipeline = config.getPipelineFactory().getPipeline();
            FakeChannel child = new FakeChannel(this, getFactory(), pipeline);
            getPipeline().sendUpstream(new DefaultChildChannelStateEvent(this, child));
            if (child.isOpen()) {
                pipeline.sendUpstream(new UpstreamChannelStateEvent(child, ChannelState.OPEN, Boolean.TRUE));
            }
            return child;
        }

        @Override
        public ChannelConfig getConfig() {
            return config;
        }

        @Override
        public boolean isBound() {
            return local != null;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return local;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return null;
        }

        @Override
        public void boundTo(SocketAddress address) {
            local = address;
        }

        @Override
        public void end() {
            setClosed();
        }

        @Override
        public boolean inIoThread() {
            return callerIsIoThread;
        }

        @Override
        public void runLater(Runnable task) {
            task.run();
        }
    }

    private static final class ServerConfig extends DefaultServerChannelConfig implements ChildOptions {
        @Override
        public void checkChildOptions(Map<String, Object> options) {
            OptionTable.<DefaultChannelConfig>of(DefaultChannelConfig.class).check(DefaultChannelConfig.class, options);
        }
    }
}
