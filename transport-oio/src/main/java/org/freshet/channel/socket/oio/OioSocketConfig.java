package org.freshet.channel.socket.oio;

import java.net.Socket;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WriteBound;

/** The settings of a connection: those of the socket, the limits of what waits, and what the end of input does. Any thread. */
final class OioSocketConfig extends DefaultSocketChannelConfig implements WriteBound.Config {
    static {
        WriteBound.stallOption(
                        WriteBound.limitOptions(OptionTable.<OioSocketConfig>of(DefaultSocketChannelConfig.class)))
                .with(
                        ChannelOption.ALLOW_HALF_CLOSURE,
                        OioSocketConfig::isAllowHalfClosure,
                        (config, isAllowed) -> config.isAllowHalfClosure = isAllowed)
                .ownedBy(OioSocketConfig.class);
    }

    private static final AtomicReferenceFieldUpdater<OioSocketConfig, WriteBound> BOUND =
            AtomicReferenceFieldUpdater.newUpdater(OioSocketConfig.class, WriteBound.class, "bound");

    private volatile boolean isAllowHalfClosure;
    private volatile WriteBound bound = WriteBound.NONE;

    OioSocketConfig(Socket socket) {
        super(socket);
    }

    @Override
    public WriteBound writeBound() {
        return bound;
    }

    @Override
    public void changeWriteBound(UnaryOperator<WriteBound> change) {
        BOUND.updateAndGet(this, change);
    }

    boolean isAllowHalfClosure() {
        return isAllowHalfClosure;
    }
}
