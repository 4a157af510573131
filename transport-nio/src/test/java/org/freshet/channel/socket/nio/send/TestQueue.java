package org.freshet.channel.socket.nio.send;

import org.freshet.internal.transport.ChannelRequest;
import org.freshet.internal.transport.OutgoingMessage;

/** A queue without a channel, which takes messages and nothing else. */
final class TestQueue extends WriteQueue {
    @Override
    public void takeRequests() {
        ChannelRequest request = takeInbox();
        while (request != null) {
            ChannelRequest following = request.next;
            append((OutgoingMessage) request);
            request = following;
        }
    }
}
