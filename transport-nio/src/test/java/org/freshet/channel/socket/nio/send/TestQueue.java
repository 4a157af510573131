package org.freshet.channel.socket.nio.send;

import java.util.ArrayList;
import java.util.List;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;

/** A queue without a channel that only accepts messages. */
final class TestQueue extends WriteQueue {
    /** The messages that have left the queue, in order. */
    final List<OutgoingMessage> left = new ArrayList<>();

    /** Whether {@link #left} is recorded. */
    boolean isRecording = true;

    @Override
    protected void onLeft(OutgoingMessage message) {
        if (isRecording) {
            left.add(message);
        }
    }

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
