package org.freshet.channel;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.internal.options.OptionTable;

/**
 * The settings that every kind of channel has.
 *
 * <p>Any thread may read and write them. A config that was never touched holds no object of its own, because there is one per
 * connection: the defaults are shared.
 */
public class DefaultChannelConfig implements ChannelConfig {
    private static final OptionTable<DefaultChannelConfig> OPTIONS =
            CommonOptions.CHANNEL.<DefaultChannelConfig>narrowed().ownedBy(DefaultChannelConfig.class);
    private static final int DEFAULT_CONNECT_TIMEOUT_MILLIS = 10_000;

    private static final AtomicReferenceFieldUpdater<DefaultChannelConfig, Factories> FACTORIES =
            AtomicReferenceFieldUpdater.newUpdater(DefaultChannelConfig.class, Factories.class, "factories");

    /** Both factories behind one reference, since hardly any connection has its own: a field saved is 8 bytes in each. */
    private record Factories(ChannelBufferFactory buffers, ChannelPipelineFactory pipelines) {
        static final Factories DEFAULT = new Factories(HeapChannelBufferFactory.getInstance(), null);
    }

    private volatile Factories factories = Factories.DEFAULT;
    private volatile int connectTimeoutMillis = DEFAULT_CONNECT_TIMEOUT_MILLIS;

    public DefaultChannelConfig() {}

    @Override
    public void setOptions(Map<String, Object> options) {
        CommonOptions.setAll(this, OPTIONS, options);
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
        return factories.buffers;
    }

    @Override
    public void setBufferFactory(ChannelBufferFactory bufferFactory) {
        Objects.requireNonNull(bufferFactory, "bufferFactory");
        FACTORIES.updateAndGet(this, now -> new Factories(bufferFactory, now.pipelines));
    }

    @Override
    public ChannelPipelineFactory getPipelineFactory() {
        return factories.pipelines;
    }

    @Override
    public void setConnectTimeoutMillis(int connectTimeoutMillis) {
        this.connectTimeoutMillis = ChannelOption.CONNECT_TIMEOUT_MILLIS.convert(connectTimeoutMillis);
    }

    @Override
    public void setPipelineFactory(ChannelPipelineFactory pipelineFactory) {
        FACTORIES.updateAndGet(this, now -> new Factories(now.buffers, pipelineFactory));
    }
}
