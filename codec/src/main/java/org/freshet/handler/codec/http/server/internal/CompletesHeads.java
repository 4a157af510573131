package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.ChannelHandler;

/** A handler that says in each response whether the connection is kept and, if it is set to, when the response was made: no other handler has to. */
public interface CompletesHeads extends ChannelHandler {}
