package org.freshet.internal.transport;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.Channel;

/** A server channel that can list the connections it has accepted. */
public interface AcceptedChannels {
    /**
     * Lists the open connections accepted so far. Any thread may call this. Once the server channel is closed, the list is complete.
     *
     * @return completes normally, on an I/O thread or the caller's
     */
    CompletableFuture<List<Channel>> acceptedChannels();
}
