package org.freshet.channel;

import java.util.Map;
import java.util.Objects;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.internal.options.OptionTable;

/**
 * The settings that all server channels have. Any thread may read and write them.
 *
 * <p>A server channel does not connect: its connect timeout is always 0, setting it has no effect, and its key is unknown.
 */
public class DefaultServerChannelConfig implements ChannelConfig {
    private static final OptionTable<DefaultServerChannelConfig> OPTIONS =
            CommonOptions.SERVER.<DefaultServerChannelConfig>narrowed().ownedBy(DefaultServerChannelConfig.class);

    private volatile ChannelBufferFactory bufferFactory = HeapChannelBufferFactory.getInstance();
    private volatile ChannelPipelineFactory pipelineFactory;

    public DefaultServerChannelConfig() {}

    @Override
    public void setOptions(Map<String, Object> options) {
        CommonOptions.setAll(this, OPTIONS, options);
    }

    @Override
    public boolean setOption(String key, Object value) {
        return OptionTable.ofConfig(this).set(this, key, value);
    }

    @Override
    public <T> T getOption(ChannelOption<T> option) {
        return OptionTable.ofConfig(this).get(this, option.key(), option.type());
    }

    @Override
    public Map<String, Object> getOptions() {
        return OptionTable.ofConfig(this).values(this);
    }

    @Override
    public ChannelPipelineFactory getPipelineFactory() {
        return pipelineFactory;
    }

    @Override
    public void setPipelineFactory(ChannelPipelineFactory pipelineFactory) {
        this.pipelineFactory = Objects.requireNonNull(pipelineFactory, "pipelineFactory");
    }

    @Override
    public ChannelBufferFactory getBufferFactory() {
        return bufferFactory;
    }

    @Override
    public void setBufferFactory(ChannelBufferFactory bufferFactory) {
        this.bufferFactory = Objects.requireNonNull(bufferFactory, "bufferFactory");
    }

    @Override
    public int getConnectTimeoutMillis() {
        return 0;
    }

    @Override
    public void setConnectTimeoutMillis(int connectTimeoutMillis) {
        // Every config must have this method; a server channel does not connect.
    }
}
