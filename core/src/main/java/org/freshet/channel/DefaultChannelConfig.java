package org.freshet.channel;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.internal.options.OptionTable;

/**
 * The settings that all channels have.
 *
 * <p>Any thread may read and write them. There is one config per connection, so all configs share the default settings until they are
 * changed.
 */
public class DefaultChannelConfig implements ChannelConfig {
    private static final OptionTable<DefaultChannelConfig> OPTIONS =
            CommonOptions.CHANNEL.<DefaultChannelConfig>narrowed().ownedBy(DefaultChannelConfig.class);
    private static final AtomicReferenceFieldUpdater<DefaultChannelConfig, Settings> SETTINGS =
            AtomicReferenceFieldUpdater.newUpdater(DefaultChannelConfig.class, Settings.class, "settings");

    /**
     * All settings behind one reference, because hardly any connection changes them: each field saved is memory saved in every connection.
     */
    private record Settings(ChannelBufferFactory buffers, ChannelPipelineFactory pipelines, int connectTimeoutMillis) {
        static final Settings DEFAULT = new Settings(HeapChannelBufferFactory.getInstance(), null, 10_000);
    }

    private volatile Settings settings = Settings.DEFAULT;

    public DefaultChannelConfig() {}

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
    public int getConnectTimeoutMillis() {
        return settings.connectTimeoutMillis;
    }

    @Override
    public ChannelBufferFactory getBufferFactory() {
        return settings.buffers;
    }

    @Override
    public void setBufferFactory(ChannelBufferFactory bufferFactory) {
        Objects.requireNonNull(bufferFactory, "bufferFactory");
        SETTINGS.updateAndGet(this, now -> new Settings(bufferFactory, now.pipelines, now.connectTimeoutMillis));
    }

    @Override
    public ChannelPipelineFactory getPipelineFactory() {
        return settings.pipelines;
    }

    @Override
    public void setConnectTimeoutMillis(int connectTimeoutMillis) {
        int millis = ChannelOption.CONNECT_TIMEOUT_MILLIS.convert(connectTimeoutMillis);
        SETTINGS.updateAndGet(this, now -> new Settings(now.buffers, now.pipelines, millis));
    }

    @Override
    public void setPipelineFactory(ChannelPipelineFactory pipelineFactory) {
        SETTINGS.updateAndGet(this, now -> new Settings(now.buffers, pipelineFactory, now.connectTimeoutMillis));
    }
}
