package org.freshet.handler.codec.http.server.internal;

import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpResponse;

/** A content encoder that leaves some responses unchanged, whatever the request accepts. */
public interface SelectsContent extends ChannelHandler {
    /** Whether the response would be compressed for some request. */
    boolean mayCompress(HttpResponse response);
}
