package org.freshet.channel.socket.nio;

import org.freshet.testing.AcceptGuardContract;
import org.freshet.testing.Rig;

class AcceptGuardTest extends AcceptGuardContract {
    @Override
    protected Rig newRig() {
        return new Rig(new NioServerSocketChannelFactory(2), new NioClientSocketChannelFactory(1));
    }
}
