package org.freshet.channel;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server channel without a transport. Close requests are carried out immediately, other events are only recorded. */
public class FakeServerChannel extends AbstractServerChannel {
    private static final class RecordingSink extends AbstractChannelSink {
        final List<ChannelEvent> sunk = new CopyOnWriteArrayList<>();

        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
            sunk.add(e);
            if (e instanceof ChannelStateEvent stateEvent && stateEvent.getState() == ChannelState.OPEN) {
                ((FakeServerChannel) e.getChannel()).setClosed();
            }
        }
    }

    public FakeServerChannel() {
        super(null, Channels.pipeline(new SimpleChannelUpstreamHandler()), new RecordingSink());
    }

    /** Returns the downstream events recorded so far. */
    public List<ChannelEvent> sunk() {
        return ((RecordingSink) getPipeline().getSink()).sunk;
    }

    @Override
    public ChannelConfig getConfig() {
        return null;
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return null;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return null;
    }
}
