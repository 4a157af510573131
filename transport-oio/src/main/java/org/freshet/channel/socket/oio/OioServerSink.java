package org.freshet.channel.socket.oio;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.internal.TurnSink;

/** Where the downstream events of listening sockets end: they are carried out on the caller's thread. Any thread. */
final class OioServerSink extends TurnSink {
    private final IoThreads threads;

    OioServerSink(IoThreads threads) {
        this.threads = threads;
    }

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        if (e instanceof ChannelStateEvent event) {
            onState((OioServerSocketChannel) e.getChannel(), event);
        }
    }

    private void onState(OioServerSocketChannel channel, ChannelStateEvent e) {
        boolean isBound = e.getState() == ChannelState.BOUND;
        if (isBound && e.getValue() != null) {
            channel.bind(e.getFuture(), (SocketAddress) e.getValue(), threads);
        } else if (isBound || e.getState() == ChannelState.OPEN && Boolean.FALSE.equals(e.getValue())) {
            channel.close(e.getFuture());
        }
    }
}
