package org.freshet.channel.local;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.internal.TurnSink;

/** Where the downstream events of servers go. Any thread. */
final class LocalServerSink extends TurnSink {
    static final LocalServerSink INSTANCE = new LocalServerSink();

    private LocalServerSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        if (e instanceof ChannelStateEvent event) {
            onState((DefaultLocalServerChannel) e.getChannel(), event);
        }
    }

    private static void onState(DefaultLocalServerChannel channel, ChannelStateEvent e) {
        boolean isBound = e.getState() == ChannelState.BOUND;
        if (isBound && e.getValue() != null) {
            channel.bind(e.getFuture(), (SocketAddress) e.getValue());
        } else if (isBound || e.getState() == ChannelState.OPEN && Boolean.FALSE.equals(e.getValue())) {
            channel.close(e.getFuture());
        }
    }
}
