package org.freshet.channel.socket.oio;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.TurnSink;

/** Where the downstream events of TCP connections end: they are carried out on the caller's thread. Any thread. */
final class OioSocketSink extends TurnSink {
    private final IoThreads threads;

    OioSocketSink(IoThreads threads) {
        this.threads = threads;
    }

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        OioSocketChannel channel = (OioSocketChannel) e.getChannel();
        if (e instanceof MessageEvent message) {
            channel.write(message);
        } else if (e instanceof ChannelStateEvent state) {
            onState(channel, state);
        }
    }

    private void onState(OioSocketChannel channel, ChannelStateEvent e) {
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
                    channel.connect(future, (SocketAddress) value, threads);
                }
            }
            case INTEREST_OPS -> channel.changeInterest(future, ((Number) value).intValue());
        }
    }
}
