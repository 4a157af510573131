package org.freshet.channel;

import java.util.Map;
import java.util.Objects;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.internal.ConfigOptions;
import org.freshet.internal.OptionTable;

/**
 * The settings that every kind of channel has.
 *
 * <p>Any thread may read and write them. A config that was never touched holds no object of its own, because there is one per
 * connection: the defaults are shared.
 */
public class DefaultChannelConfig implements ChannelConfig {
    private static final OptionTable<ChannelConfig> OPTIONS = ConfigOptions.CHANNEL.ownedBy(DefaultChannelConfig.class);
    private static final int DEFAULT_CONNECT_TIMEOUT_MILLIS = 10_000;

    /** Null while it is the default. */
    private volatile ChannelBufferFactory bufferFactory;

    private volatile ChannelPipelineFactory pipelineFactory;
    private volatile int connectTimeoutMillis = DEFAULT_CONNECT_TIMEOUT_MILLIS;

    public DefaultChannelConfig() {}

    @Override
    public void setOptions(Map<String, Object> options) {
        OptionTable.setAll(this, options);
    }

    @Override
    public boolean setOption(String key, Object value) {
        return OPTIONS.set(this, key, value);
    }

    @Override
    public int getConnectTimeoutMillis() {
        return connectTimeoutMillis;
    }

    @Override
    public ChannelBufferFactory getBufferFactory() {
        ChannelBufferFactory factory = bufferFactory;
        return factory != null ? factory : HeapChannelBufferFactory.getInstance();
    }

    @Override
    public void setBufferFactory(ChannelBufferFactory bufferFactory) {
        this.bufferFactory = Objects.requireNonNull(bufferFactory, "bufferFactory");
    }

    @Override
    public ChannelPipelineFactory getPipelineFactory() {
        return pipelineFactory;
    }

    @Override
    public void setConnectTimeoutMillis(int connectTimeoutMillis) {
        this.connectTimeoutMillis = ChannelOption.CONNECT_TIMEOUT_MILLIS.convert(connectTimeoutMillis);
    }

    @Override
    public void setPipelineFactory(ChannelPipelineFactory pipelineFactory) {
        this.pipelineFactory = pipelineFactory;
    }
}
