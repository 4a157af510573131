package org.freshet.channel.socket.oio;

import org.freshet.testing.AcceptGuardContract;
import org.freshet.testing.Rig;

class AcceptGuardTest extends AcceptGuardContract {
    @Override
    protected Rig newRig() {
        return Transport.DEFAULT_THREADS.rig();
    }
}
