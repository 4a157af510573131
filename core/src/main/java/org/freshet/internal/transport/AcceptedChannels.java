package org.freshet.internal.transport;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.Channel;

/** A server channel that can list the connections it has accepted. */
public interface AcceptedChannels {
    /**
     * The connections that were accepted before and are open. Any thread may call; once the server channel is closed, none is
     * missing.
     *
     * @return completes, successfully, on an I/O thread or the caller's
     */
    CompletableFuture<List<Channel>> acceptedChannels();
}
