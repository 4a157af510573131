package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.DefaultChannelPipeline;

/** Fails once to pass on an upstream event, because memory runs out. */
final class StarvedPipeline extends DefaultChannelPipeline {
    private String fatalEvent = "none";

    void failOn(String event) {
        fatalEvent = event;
    }

    @Override
    public void sendUpstream(ChannelEvent e) {
        if (EventNames.of(e).equals(fatalEvent)) {
            fatalEvent = "none";
            throw new OutOfMemoryError("thrown on purpose");
        }
        super.sendUpstream(e);
    }
}
