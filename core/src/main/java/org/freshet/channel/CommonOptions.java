package org.freshet.channel;

import java.util.Map;
import java.util.Objects;
import org.freshet.internal.options.OptionTable;

/** The options that channels of every kind have, and the methods that they stand for. */
final class CommonOptions {
    /** What server channels of every kind know. */
    static final OptionTable<ChannelConfig> SERVER = OptionTable.<ChannelConfig>empty()
            .with(ChannelOption.BUFFER_FACTORY, ChannelConfig::getBufferFactory, ChannelConfig::setBufferFactory)
            .with(ChannelOption.PIPELINE_FACTORY, ChannelConfig::getPipelineFactory, ChannelConfig::setPipelineFactory)
            .accepting();

    /** What all other channels know. */
    static final OptionTable<ChannelConfig> CHANNEL = OptionTable.<ChannelConfig>empty()
            .with(ChannelOption.BUFFER_FACTORY, ChannelConfig::getBufferFactory, ChannelConfig::setBufferFactory)
            .with(ChannelOption.PIPELINE_FACTORY, ChannelConfig::getPipelineFactory, ChannelConfig::setPipelineFactory)
            .with(
                    ChannelOption.CONNECT_TIMEOUT_MILLIS,
                    ChannelConfig::getConnectTimeoutMillis,
                    ChannelConfig::setConnectTimeoutMillis);

    private CommonOptions() {}

    /** Sets each option by the config's own {@code setOption}, and reports those that it does not know. */
    static void setAll(ChannelConfig config, OptionTable<?> table, Map<String, Object> options) {
        Objects.requireNonNull(options, "options").forEach((key, value) -> {
            if (!config.setOption(key, value)) {
                table.reportUnknown(config.getClass(), key);
            }
        });
    }
}
