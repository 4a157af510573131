package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.NameResolver;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WriteBound;

/**
 * The settings of a connection: the socket's options, the limits for waiting bytes, and the reaction to the end of
 * input. Any thread may call it.
 */
final class OioSocketConfig extends DefaultSocketChannelConfig implements WriteBound.Config {
    static {
        WriteBound.stallOption(
                        WriteBound.limitOptions(OptionTable.<OioSocketConfig>of(DefaultSocketChannelConfig.class)))
                .with(
                        ChannelOption.ALLOW_HALF_CLOSURE,
                        OioSocketConfig::isAllowHalfClosure,
                        (config, isAllowed) -> config.isAllowHalfClosure = isAllowed)
                .with(
                        ChannelOption.NAME_RESOLVER,
                        OioSocketConfig::nameResolver,
                        (config, resolver) -> config.nameResolver = resolver)
                .ownedBy(OioSocketConfig.class);
    }

    private static final AtomicReferenceFieldUpdater<OioSocketConfig, WriteBound> BOUND =
            AtomicReferenceFieldUpdater.newUpdater(OioSocketConfig.class, WriteBound.class, "bound");

    private volatile boolean isAllowHalfClosure;
    private volatile WriteBound bound = WriteBound.NONE;
    private volatile NameResolver nameResolver = NameResolver.SYSTEM;

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

    NameResolver nameResolver() {
        return nameResolver;
    }

    /** Gives a new socket the options of this one. */
    void copyTo(Socket other) throws IOException {
        copyOptionsTo(other);
    }

    /** Returns a snapshot for {@link #copyChanges}, taken when the first socket gets the options. */
    Map<SocketOption<?>, Object> optionsNow() throws IOException {
        return socketOptions();
    }

    /** Gives a socket the options that were set on this one since the snapshot. */
    void copyChanges(Socket other, Map<SocketOption<?>, Object> since) throws IOException {
        copyChangesTo(other, since);
    }

    /** See {@link #moveTo}. */
    void changeSocket(Socket other) {
        moveTo(other);
    }

    boolean isAllowHalfClosure() {
        return isAllowHalfClosure;
    }
}
