package org.freshet.channel;

import java.util.Map;
import java.util.Objects;
import org.freshet.internal.options.OptionTable;

/** The options that all channels have, with the config methods they call. */
final class CommonOptions {
    /** The options of all server channels. */
    static final OptionTable<ChannelConfig> SERVER = OptionTable.<ChannelConfig>empty()
            .with(ChannelOption.BUFFER_FACTORY, ChannelConfig::getBufferFactory, ChannelConfig::setBufferFactory)
            .with(ChannelOption.PIPELINE_FACTORY, ChannelConfig::getPipelineFactory, ChannelConfig::setPipelineFactory)
            .accepting();

    /** The options of all other channels. */
    static final OptionTable<ChannelConfig> CHANNEL = OptionTable.<ChannelConfig>empty()
            .with(ChannelOption.BUFFER_FACTORY, ChannelConfig::getBufferFactory, ChannelConfig::setBufferFactory)
            .with(ChannelOption.PIPELINE_FACTORY, ChannelConfig::getPipelineFactory, ChannelConfig::setPipelineFactory)
            .with(
                    ChannelOption.CONNECT_TIMEOUT_MILLIS,
                    ChannelConfig::getConnectTimeoutMillis,
                    ChannelConfig::setConnectTimeoutMillis);

    private CommonOptions() {}

    /** Sets each option with the config's own {@code setOption}, and reports the unknown ones. */
    static void setAll(ChannelConfig config, OptionTable<?> table, Map<String, Object> options) {
        Objects.requireNonNull(options, "options").forEach((key, value) -> {
            if (!config.setOption(key, value)) {
                table.reportUnknown(config.getClass(), key);
            }
        });
    }
}
