package org.freshet.channel.local;

import org.freshet.channel.ServerChannel;

/** A name within the JVM to which clients connect. */
public interface LocalServerChannel extends ServerChannel {
    @Override
    LocalAddress getLocalAddress();

    /** Null, always. */
    @Override
    LocalAddress getRemoteAddress();
}
