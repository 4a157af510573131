package org.freshet.channel;

import java.net.SocketAddress;
import org.freshet.util.EstimatableObjectWrapper;

/** A message that was received (upstream) or is to be written (downstream). */
public interface MessageEvent extends ChannelEvent, EstimatableObjectWrapper {
    /** Never null. At the transport's end of the pipeline it is a {@code ChannelBuffer}; handlers convert it to other types. */
    Object getMessage();

    /**
     * The sender of a received message or the receiver of a written one; for a connected channel, its peer. Null for a downstream event
     * without an address if the channel has no peer.
     */
    SocketAddress getRemoteAddress();

    /** The message: size estimates of the event include it. */
    @Override
    default Object unwrap() {
        return getMessage();
    }
}
