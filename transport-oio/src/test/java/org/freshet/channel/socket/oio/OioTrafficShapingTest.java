package org.freshet.channel.socket.oio;

import org.freshet.channel.ChannelFactory;
import org.freshet.testing.TrafficShapingContract;

class OioTrafficShapingTest extends TrafficShapingContract {
    @Override
    protected ChannelFactory serverFactory() {
        return new OioServerSocketChannelFactory();
    }
}
