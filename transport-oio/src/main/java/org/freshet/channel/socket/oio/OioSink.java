package org.freshet.channel.socket.oio;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.TurnSink;

/** Where the downstream events of connections and datagram channels end: they are carried out on the caller's thread. */
final class OioSink extends TurnSink {
    static final OioSink INSTANCE = new OioSink();

    private OioSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        OioChannel channel = (OioChannel) e.getChannel();
        if (e instanceof MessageEvent message) {
            channel.write(message);
        } else if (e instanceof ChannelStateEvent state) {
            onState(channel, state);
        }
    }

    private static void onState(OioChannel channel, ChannelStateEvent e) {
        ChannelFuture future = e.getFuture();
        Object value = e.getValue();
        switch (e.getState()) {
            case OPEN -> {
                if (Boolean.FALSE.equals(value)) {
                    channel.close(future);
                }
            }
            case BOUND -> {
                if (value == null) {
                    channel.close(future);
                } else {
                    channel.bind(future, (SocketAddress) value);
                }
            }
            case CONNECTED -> {
                if (value == null) {
                    channel.disconnect(future);
                } else {
                    channel.connect(future, (SocketAddress) value);
                }
            }
            case INTEREST_OPS -> channel.changeInterest(future, ((Number) value).intValue());
        }
    }
}
