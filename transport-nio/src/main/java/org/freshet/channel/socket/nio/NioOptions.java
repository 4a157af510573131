package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelOption;
import org.freshet.internal.ConfigOptions;
import org.freshet.internal.OptionTable;

/** Which options the channels of this transport have beyond those of their kind, and the methods they stand for. */
final class NioOptions {
    static final OptionTable<NioSocketChannelConfig> SOCKET = writing(
                    ConfigOptions.SOCKET.<NioSocketChannelConfig>narrowed())
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR,
                    NioSocketChannelConfig::getReceiveBufferSizePredictor,
                    NioSocketChannelConfig::setReceiveBufferSizePredictor)
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY,
                    NioSocketChannelConfig::getReceiveBufferSizePredictorFactory,
                    NioSocketChannelConfig::setReceiveBufferSizePredictorFactory)
            .with(
                    ChannelOption.RECEIVE_BUFFER_AUTO_TUNE,
                    NioSocketChannelConfig::getReceiveBufferAutoTune,
                    NioSocketChannelConfig::setReceiveBufferAutoTune);

    static final OptionTable<NioDatagramChannelConfig> DATAGRAM =
            writing(ConfigOptions.DATAGRAM.<NioDatagramChannelConfig>narrowed());

    private NioOptions() {}

    private static <C extends NioChannelConfig> OptionTable<C> writing(OptionTable<C> table) {
        return table.with(
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
