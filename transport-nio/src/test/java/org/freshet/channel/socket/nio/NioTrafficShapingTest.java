package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelFactory;
import org.freshet.testing.TrafficShapingContract;

class NioTrafficShapingTest extends TrafficShapingContract {
    @Override
    protected ChannelFactory serverFactory() {
        return new NioServerSocketChannelFactory();
    }
}
