package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelOption;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.channel.socket.DefaultDatagramChannelConfig;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WriteBound;

/** The options that channels of this transport add to those of their kind, and the methods behind them. */
final class NioOptions {
    static final OptionTable<NioSocketConfig> SOCKET = streaming(
                    OptionTable.<NioSocketConfig>of(DefaultSocketChannelConfig.class))
            .with(ChannelOption.NAME_RESOLVER, NioSocketConfig::nameResolver, NioSocketConfig::setNameResolver);

    /** Without TCP and IP options. */
    static final OptionTable<NioUnixConfig> UNIX = streaming(OptionTable.<NioUnixConfig>of(DefaultChannelConfig.class))
            .with(ChannelOption.SO_LINGER, SocketChannelConfig::getSoLinger, SocketChannelConfig::setSoLinger)
            .with(
                    ChannelOption.SEND_BUFFER_SIZE,
                    SocketChannelConfig::getSendBufferSize,
                    SocketChannelConfig::setSendBufferSize)
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE,
                    SocketChannelConfig::getReceiveBufferSize,
                    SocketChannelConfig::setReceiveBufferSize);

    static final OptionTable<NioDatagramConfig> DATAGRAM =
            writing(OptionTable.<NioDatagramConfig>of(DefaultDatagramChannelConfig.class));

    private NioOptions() {}

    private static <C extends NioSocketConfig> OptionTable<C> streaming(OptionTable<C> table) {
        return WriteBound.stallOption(writing(table))
                .with(
                        ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR,
                        NioSocketChannelConfig::getReceiveBufferSizePredictor,
                        NioSocketChannelConfig::setReceiveBufferSizePredictor)
                .with(
                        ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY,
                        NioSocketChannelConfig::getReceiveBufferSizePredictorFactory,
                        NioSocketChannelConfig::setReceiveBufferSizePredictorFactory)
                .with(
                        ChannelOption.ALLOW_HALF_CLOSURE,
                        NioSocketChannelConfig::isAllowHalfClosure,
                        NioSocketChannelConfig::setAllowHalfClosure);
    }

    private static <C extends WriteLimited> OptionTable<C> writing(OptionTable<C> table) {
        return WriteBound.limitOptions(table)
                .with(
                        ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK,
                        NioChannelConfig::getWriteBufferHighWaterMark,
                        NioChannelConfig::setWriteBufferHighWaterMark)
                .with(
                        ChannelOption.WRITE_BUFFER_LOW_WATER_MARK,
                        NioChannelConfig::getWriteBufferLowWaterMark,
                        NioChannelConfig::setWriteBufferLowWaterMark)
                .with(
                        ChannelOption.WRITE_SPIN_COUNT,
                        NioChannelConfig::getWriteSpinCount,
                        NioChannelConfig::setWriteSpinCount)
                .with(
                        ChannelOption.WRITE_COALESCING,
                        NioChannelConfig::isWriteCoalescing,
                        NioChannelConfig::setWriteCoalescing);
    }
}
