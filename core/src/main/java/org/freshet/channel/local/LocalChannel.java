package org.freshet.channel.local;

import org.freshet.channel.Channel;

/** One end of a connection within the JVM. Any object can be written to it. */
public interface LocalChannel extends Channel {
    @Override
    LocalAddress getLocalAddress();

    @Override
    LocalAddress getRemoteAddress();
}
