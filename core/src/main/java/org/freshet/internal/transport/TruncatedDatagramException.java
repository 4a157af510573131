package org.freshet.internal.transport;

import org.freshet.channel.ChannelException;
import org.freshet.internal.PeerCaused;

/** A datagram was dropped because it did not fit the space provided. */
final class TruncatedDatagramException extends ChannelException implements PeerCaused {
    private static final long serialVersionUID = 1L;

    TruncatedDatagramException(String message) {
        super(message);
    }
}
