package org.freshet.handler.traffic;

import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.Chain;
import org.freshet.internal.handler.HeldWrite;

/** A waiting write. Allocated before anything changes, so later steps need no memory. */
final class ShapedWrite extends Chain.Link implements WriteAccount.SendAction {
    final ShapedChannel channel;
    final MessageEvent event;
    final long bytes;

    ShapedWrite(ShapedChannel channel, MessageEvent event, long bytes) {
        this.channel = channel;
        this.event = event;
        this.bytes = bytes;
    }

    /** Sends it down the pipeline. */
    @Override
    public void run() throws Exception {
        channel.handler.internalSubmitWrite(channel.ctx, HeldWrite.unwrap(event));
    }
}
