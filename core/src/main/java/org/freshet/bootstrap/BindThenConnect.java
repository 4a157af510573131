package org.freshet.bootstrap;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultChannelFuture;

/**
 * Connects a channel from a given local address, and presents both steps as one future, which can be cancelled at any time.
 *
 * <p>The connect starts on the channel's I/O thread once the bind has succeeded. Connecting after a failed bind would use an address that
 * the user didn't choose.
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
