package org.freshet.channel.local;

import org.freshet.channel.ServerChannel;

/** A server channel for clients in the same JVM: a name they connect to. */
public interface LocalServerChannel extends ServerChannel {
    @Override
    LocalAddress getLocalAddress();

    /** Always null. */
    @Override
    LocalAddress getRemoteAddress();
}
