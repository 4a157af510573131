package org.freshet.channel.local;

import org.freshet.channel.Channel;

public interface LocalChannel extends Channel {
    LocalAddress getLocalAddress();

    LocalAddress getRemoteAddress();
}
