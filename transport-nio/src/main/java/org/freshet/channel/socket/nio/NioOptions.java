package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.DefaultDatagramChannelConfig;
import org.freshet.channel.socket.DefaultSocketChannelConfig;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.write.WriteBound;

/** Which options the channels of this transport have beyond those of their kind, and the methods they stand for. */
final class NioOptions {
    static final OptionTable<NioSocketConfig> SOCKET = WriteBound.stallOption(
                    writing(OptionTable.<NioSocketConfig>of(DefaultSocketChannelConfig.class)))
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR.key(),
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR::convert,
                    NioSocketChannelConfig::getReceiveBufferSizePredictor,
                    NioSocketChannelConfig::setReceiveBufferSizePredictor)
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY.key(),
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY::convert,
                    NioSocketChannelConfig::getReceiveBufferSizePredictorFactory,
                    NioSocketChannelConfig::setReceiveBufferSizePredictorFactory)
            .with(
                    ChannelOption.RECEIVE_BUFFER_AUTO_TUNE.key(),
                    ChannelOption.RECEIVE_BUFFER_AUTO_TUNE::convert,
                    NioSocketChannelConfig::getReceiveBufferAutoTune,
                    NioSocketChannelConfig::setReceiveBufferAutoTune)
            .with(
                    ChannelOption.ALLOW_HALF_CLOSURE.key(),
                    ChannelOption.ALLOW_HALF_CLOSURE::convert,
                    NioSocketChannelConfig::isAllowHalfClosure,
                    NioSocketChannelConfig::setAllowHalfClosure);

    static final OptionTable<NioDatagramConfig> DATAGRAM =
            writing(OptionTable.<NioDatagramConfig>of(DefaultDatagramChannelConfig.class));

    private NioOptions() {}

    private static <C extends WriteLimited> OptionTable<C> writing(OptionTable<C> table) {
        return WriteBound.limitOptions(table)
                .with(
                        ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK.key(),
                        ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK::convert,
                        NioChannelConfig::getWriteBufferHighWaterMark,
                        NioChannelConfig::setWriteBufferHighWaterMark)
                .with(
                        ChannelOption.WRITE_BUFFER_LOW_WATER_MARK.key(),
                        ChannelOption.WRITE_BUFFER_LOW_WATER_MARK::convert,
                        NioChannelConfig::getWriteBufferLowWaterMark,
                        NioChannelConfig::setWriteBufferLowWaterMark)
                .with(
                        ChannelOption.WRITE_SPIN_COUNT.key(),
                        ChannelOption.WRITE_SPIN_COUNT::convert,
                        NioChannelConfig::getWriteSpinCount,
                        NioChannelConfig::setWriteSpinCount)
                .with(
                        ChannelOption.WRITE_COALESCING.key(),
                        ChannelOption.WRITE_COALESCING::convert,
                        NioChannelConfig::isWriteCoalescing,
                        NioChannelConfig::setWriteCoalescing);
    }
}
