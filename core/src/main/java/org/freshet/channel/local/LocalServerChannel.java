package org.freshet.channel.local;

import org.freshet.channel.ServerChannel;

public interface LocalServerChannel extends ServerChannel {
    LocalAddress getLocalAddress();

    LocalAddress getRemoteAddress();
}
