package org.freshet.channel.local;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.TurnSink;

/** Where the downstream events of the two ends of connections go. Any thread. */
final class LocalSink extends TurnSink {
    static final LocalSink INSTANCE = new LocalSink();

    private LocalSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        DefaultLocalChannel channel = (DefaultLocalChannel) e.getChannel();
        if (e instanceof MessageEvent message) {
            channel.write(message);
        } else if (e instanceof ChannelStateEvent state) {
            onState(channel, state);
        }
    }

    private static void onState(DefaultLocalChannel channel, ChannelStateEvent e) {
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
                    channel.close(future);
                } else {
                    channel.connect(future, (SocketAddress) value);
                }
            }
            case INTEREST_OPS -> channel.changeInterest(future, ((Number) value).intValue());
        }
    }
}
