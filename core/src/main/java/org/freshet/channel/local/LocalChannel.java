package org.freshet.channel.local;

import org.freshet.channel.Channel;

/** One end of a connection within the JVM. You can write any object to it. */
public interface LocalChannel extends Channel {
    @Override
    LocalAddress getLocalAddress();

    @Override
    LocalAddress getRemoteAddress();
}
