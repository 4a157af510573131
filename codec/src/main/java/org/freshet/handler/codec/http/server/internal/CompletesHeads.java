package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.ChannelHandler;

/**
 * A handler that sets {@code Connection} and, if enabled, {@code Date} in each response, so that other handlers
 * needn't.
 */
public interface CompletesHeads extends ChannelHandler {}
