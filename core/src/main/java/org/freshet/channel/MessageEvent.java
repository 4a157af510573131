package org.freshet.channel;

import java.net.SocketAddress;
import org.freshet.util.EstimatableObjectWrapper;

/** A message that was received (upstream) or is to be written (downstream). */
public interface MessageEvent extends ChannelEvent, EstimatableObjectWrapper {
    /** Never null. At the transport's end of the pipeline it is a {@code ChannelBuffer}; handlers turn it into other types. */
    Object getMessage();

    /**
     * Who sent the message or shall get it. For a connected channel that is its peer; a downstream event without an address
     * of its own answers null when the channel has no peer.
     */
    SocketAddress getRemoteAddress();

    /** The message: a size estimate of the event counts it. */
    @Override
    default Object unwrap() {
        return getMessage();
    }
}
