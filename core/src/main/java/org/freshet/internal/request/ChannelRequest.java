package org.freshet.internal.request;

/**
 * A request that a channel's I/O thread has not carried out yet; also a link of the list in which it waits.
 *
 * <p>Owned by that list: first a {@link RequestInbox}, then the I/O thread's own list of requests.
 */
public abstract class ChannelRequest {
    /** In an inbox, the request made before this one; in any other list, the one that follows. */
    public ChannelRequest next;

    protected ChannelRequest() {}
}
