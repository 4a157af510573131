package org.freshet.channel.socket.nio.send;

import java.util.ArrayList;
import java.util.List;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;

/** A queue without a channel, which takes messages and nothing else. */
final class TestQueue extends WriteQueue {
    /** What has left the queue, in order. */
    final List<OutgoingMessage> left = new ArrayList<>();

    /** Whether {@link #left} is kept. */
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
