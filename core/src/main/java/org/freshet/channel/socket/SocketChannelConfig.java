package org.freshet.channel.socket;

import org.freshet.channel.ChannelConfig;

public interface SocketChannelConfig extends ChannelConfig {
    boolean isTcpNoDelay();

    void setTcpNoDelay(boolean value);

    int getSoLinger();

    void setSoLinger(int value);

    int getSendBufferSize();

    void setSendBufferSize(int value);

    int getReceiveBufferSize();

    void setReceiveBufferSize(int value);

    boolean isKeepAlive();

    void setKeepAlive(boolean value);

    int getTrafficClass();

    void setTrafficClass(int value);

    boolean isReuseAddress();

    void setReuseAddress(boolean value);

    void setPerformancePreferences(int value, int value2, int value3);
}
