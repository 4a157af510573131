package org.freshet.channel.socket;

import org.freshet.channel.ChannelConfig;

public interface ServerSocketChannelConfig extends ChannelConfig {
    int getBacklog();

    void setBacklog(int value);

    boolean isReuseAddress();

    void setReuseAddress(boolean value);

    int getReceiveBufferSize();

    void setReceiveBufferSize(int value);

    void setPerformancePreferences(int value, int value2, int value3);
}
