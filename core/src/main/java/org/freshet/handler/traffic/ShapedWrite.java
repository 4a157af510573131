package org.freshet.handler.traffic;

import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;

/** A write that waits in a {@link WriteChain}. It is made before anything changes, so that later steps take no memory. */
final class ShapedWrite implements WriteAccount.Step {
    final ShapedChannel channel;
    final MessageEvent event;
    final long bytes;

    /** Of the chain. */
    ShapedWrite next;

    ShapedWrite(ShapedChannel channel, MessageEvent event, long bytes) {
        this.channel = channel;
        this.event = event;
        this.bytes = bytes;
    }

    /** Sends it down. */
    @Override
    public void run() throws Exception {
        channel.handler.internalSubmitWrite(channel.ctx, event);
    }
}
