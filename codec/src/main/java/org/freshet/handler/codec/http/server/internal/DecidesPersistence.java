package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.ChannelHandler;

/** A handler that says in each response whether the connection is kept, so that no other has to. */
public interface DecidesPersistence extends ChannelHandler {}
