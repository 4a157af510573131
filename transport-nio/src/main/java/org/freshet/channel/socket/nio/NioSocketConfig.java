package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;
import org.freshet.channel.AdaptiveReceiveBufferSizePredictorFactory;
import org.freshet.channel.NameResolver;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.channel.socket.nio.receive.ReceiveSetting;
import org.freshet.channel.socket.nio.send.WriteLimits;
import org.freshet.internal.write.WaterMarks;

/**
 * The settings of a TCP connection over a NIO channel; a subclass has those of a Unix domain socket. Any thread may
 * read and write them.
 *
 * <p>There is one per connection, so settings that were not changed share one reference to the defaults.
 */
class NioSocketConfig extends DefaultSocketChannelConfig implements NioSocketChannelConfig, WriteLimited {
    static {
        NioOptions.SOCKET.ownedBy(NioSocketConfig.class);
    }

    private static final ReceiveBufferSizePredictorFactory DEFAULT_PREDICTOR_FACTORY =
            new AdaptiveReceiveBufferSizePredictorFactory();
    private static final AtomicReferenceFieldUpdater<NioSocketConfig, Settings> SETTINGS =
            AtomicReferenceFieldUpdater.newUpdater(NioSocketConfig.class, Settings.class, "settings");

    /** @param receiving null until a receive setting is set or read */
    private record Settings(WriteLimits writeLimits, ReceiveSetting receiving, NameResolver nameResolver) {
        static final Settings DEFAULT = new Settings(WriteLimits.DEFAULT, null, NameResolver.SYSTEM);

        Settings changed(UnaryOperator<WriteLimits> change) {
            return new Settings(change.apply(writeLimits), receiving, nameResolver);
        }

        Settings withReceiving() {
            return receiving != null
                    ? this
                    : new Settings(writeLimits, new ReceiveSetting(DEFAULT_PREDICTOR_FACTORY), nameResolver);
        }

        Settings with(NameResolver resolver) {
            return new Settings(writeLimits, receiving, resolver);
        }
    }

    private volatile Settings settings = Settings.DEFAULT;

    NioSocketConfig(SocketChannel channel) {
        super(channel);
    }

    @Override
    public void setOptions(Map<String, Object> options) {
        super.setOptions(WaterMarks.inSafeOrder(options, writeLimits().lowWaterMark()));
    }

    NameResolver nameResolver() {
        return settings.nameResolver;
    }

    void setNameResolver(NameResolver resolver) {
        Objects.requireNonNull(resolver, "resolver");
        SETTINGS.updateAndGet(this, now -> now.with(resolver));
    }

    /** Gives a new socket the options of this one. */
    void copyTo(SocketChannel other) throws IOException {
        copyOptionsTo(other);
    }

    /** Returns a snapshot for {@link #copyChanges}, taken when the first socket gets the options. */
    Map<SocketOption<?>, Object> optionsNow() throws IOException {
        return socketOptions();
    }

    /** Gives a socket the options that were set on this one since the snapshot. */
    void copyChanges(SocketChannel other, Map<SocketOption<?>, Object> since) throws IOException {
        copyChangesTo(other, since);
    }

    /** See {@link #moveTo}. */
    void changeSocket(SocketChannel other) {
        moveTo(other);
    }

    @Override
    public WriteLimits writeLimits() {
        return settings.writeLimits;
    }

    @Override
    public void changeWriteLimits(UnaryOperator<WriteLimits> change) {
        SETTINGS.updateAndGet(this, now -> now.changed(change));
    }

    @Override
    public int getWriteStallTimeoutMillis() {
        return writeBound().stallMillis();
    }

    @Override
    public void setWriteStallTimeoutMillis(int writeStallTimeoutMillis) {
        changeWriteBound(bound -> bound.withStallMillis(writeStallTimeoutMillis));
    }

    @Override
    public ReceiveBufferSizePredictor getReceiveBufferSizePredictor() {
        return madeReceiveSetting().predictors().predictor();
    }

    @Override
    public void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor predictor) {
        madeReceiveSetting().predictors().setPredictor(predictor);
    }

    @Override
    public ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory() {
        ReceiveSetting setting = settings.receiving;
        return setting == null
                ? DEFAULT_PREDICTOR_FACTORY
                : setting.predictors().factory();
    }

    @Override
    public void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory predictorFactory) {
        madeReceiveSetting().predictors().setFactory(predictorFactory);
    }

    @Override
    public boolean isAllowHalfClosure() {
        ReceiveSetting setting = settings.receiving;
        return setting != null && setting.isAllowHalfClosure();
    }

    @Override
    public void setAllowHalfClosure(boolean isAllowed) {
        madeReceiveSetting().allowHalfClosure(isAllowed);
    }

    /** Returns the predictor if the user set one, or a factory for one; null means the loop chooses the size. */
    ReceiveBufferSizePredictor explicitReceiveBufferSizePredictor() {
        ReceiveSetting setting = settings.receiving;
        return setting == null ? null : setting.predictors().explicitPredictor();
    }

    private ReceiveSetting madeReceiveSetting() {
        return SETTINGS.updateAndGet(this, Settings::withReceiving).receiving;
    }
}
