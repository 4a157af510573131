package org.freshet.channel.socket;

import java.net.InetAddress;
import java.net.NetworkInterface;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;

public interface DatagramChannelConfig extends ChannelConfig {
    int getSendBufferSize();

    void setSendBufferSize(int value);

    int getReceiveBufferSize();

    void setReceiveBufferSize(int value);

    int getTrafficClass();

    void setTrafficClass(int value);

    boolean isReuseAddress();

    void setReuseAddress(boolean value);

    boolean isBroadcast();

    void setBroadcast(boolean value);

    boolean isLoopbackModeDisabled();

    void setLoopbackModeDisabled(boolean value);

    int getTimeToLive();

    void setTimeToLive(int value);

    InetAddress getInterface();

    void setInterface(InetAddress inetAddress);

    NetworkInterface getNetworkInterface();

    void setNetworkInterface(NetworkInterface networkInterface);

    ReceiveBufferSizePredictor getReceiveBufferSizePredictor();

    void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor receiveBufferSizePredictor);

    ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory();

    void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory receiveBufferSizePredictorFactory);
}
