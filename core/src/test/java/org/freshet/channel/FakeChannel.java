package org.freshet.channel;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.internal.IoThreadBound;

/**
 * A channel without a transport. It records the events that reach the sink and lets the test decide how they end; only
 * close requests are carried out immediately.
 */
public class FakeChannel extends AbstractChannel implements IoThreadBound {
    private static final class RecordingSink extends AbstractChannelSink {
        final List<ChannelEvent> sunk = new CopyOnWriteArrayList<>();

        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
            sunk.add(e);
            if (e instanceof ChannelStateEvent stateEvent && stateEvent.getState() == ChannelState.OPEN) {
                ((FakeChannel) e.getChannel()).onCloseRequested();
            }
        }
    }

    public volatile SocketAddress localAddress;
    public volatile SocketAddress remoteAddress;
    public volatile boolean connected;

    /** The thread that acts as the I/O thread of this channel, or null. */
    public volatile Thread ioThread;

    /** If false, close requests are only recorded. */
    public volatile boolean closesAtOnce = true;

    public FakeChannel() {
        this(null, null);
    }

    public FakeChannel(Channel parent) {
        this(parent, null);
    }

    public FakeChannel(Channel parent, ChannelFactory factory) {
        super(parent, factory, Channels.pipeline(new SimpleChannelUpstreamHandler()), new RecordingSink());
    }

    public FakeChannel(int id, Channel parent, ChannelHandler... handlers) {
        super((Integer) id, parent, null, Channels.pipeline(handlers), new RecordingSink());
    }

    /** Returns the downstream events recorded so far. */
    public List<ChannelEvent> sunk() {
        return ((RecordingSink) getPipeline().getSink()).sunk;
    }

    void onCloseRequested() {
        if (closesAtOnce) {
            setClosed();
        }
    }

    /** Does what the transport does after the channel has closed. */
    public boolean onClosed() {
        return setClosed();
    }

    @Override
    public boolean inIoThread() {
        return Thread.currentThread() == ioThread;
    }

    @Override
    public void runLater(Runnable task) {
        task.run();
    }

    @Override
    public ChannelConfig getConfig() {
        return null;
    }

    @Override
    public boolean isBound() {
        return localAddress != null;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return remoteAddress;
    }
}
