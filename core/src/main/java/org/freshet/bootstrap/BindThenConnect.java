package org.freshet.bootstrap;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultChannelFuture;

/**
 * Connects a channel from a given local address, and shows the two steps as one future that may be cancelled at any time.
 *
 * <p>The second step starts when the first is done, on the channel's I/O thread: connecting after a bind that failed would go out
 * from an address that the user did not choose.
 */
final class BindThenConnect {
    private final Channel channel;
    private final SocketAddress remoteAddress;
    private final ChannelFuture result;

    BindThenConnect(Channel channel, SocketAddress remoteAddress) {
        this.channel = channel;
        this.remoteAddress = remoteAddress;
        this.result = new DefaultChannelFuture(channel, true);
    }

    ChannelFuture start(SocketAddress localAddress) {
        channel.bind(localAddress).addListener(this::boundOrNot);
        return result;
    }

    private void boundOrNot(ChannelFuture bind) {
        if (!bind.isSuccess()) {
            result.setFailure(BootstrapFutures.causeOf(bind));
        } else if (!result.isDone()) {
            connect();
        }
    }

    private void connect() {
        ChannelFuture connect = channel.connect(remoteAddress);
        result.addListener(done -> {
            if (done.isCancelled()) {
                connect.cancel();
            }
        });
        connect.addListener(this::connectedOrNot);
    }

    private void connectedOrNot(ChannelFuture connect) {
        if (connect.isSuccess()) {
            result.setSuccess();
        } else if (connect.isCancelled()) {
            result.cancel();
        } else {
            result.setFailure(connect.getCause());
        }
    }
}
