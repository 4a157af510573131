package org.freshet.channel;

import java.util.Map;
import org.freshet.buffer.ChannelBufferFactory;

public interface ChannelConfig {
    void setOptions(Map<String, Object> map);

    boolean setOption(String name, Object value);

    ChannelBufferFactory getBufferFactory();

    void setBufferFactory(ChannelBufferFactory channelBufferFactory);

    ChannelPipelineFactory getPipelineFactory();

    void setPipelineFactory(ChannelPipelineFactory channelPipelineFactory);

    int getConnectTimeoutMillis();

    void setConnectTimeoutMillis(int value);
}
