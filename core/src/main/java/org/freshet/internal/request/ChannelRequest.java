package org.freshet.internal.request;

/**
 * Something that a channel was asked to do and that its I/O thread has not done yet: a link of the list that it waits in.
 *
 * <p>Owned by that list: first by a {@link RequestInbox}, then by whatever the I/O thread keeps requests in.
 */
public abstract class ChannelRequest {
    /** In an inbox the request that was made before this one, in any other list the one that follows. */
    public ChannelRequest next;

    protected ChannelRequest() {}
}
