package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/** A message of an unknown side. Freshet's decoders make {@link UnknownSocksRequest} and {@link UnknownSocksResponse}. */
public final class UnknownSocksMessage extends SocksMessage {
    public UnknownSocksMessage() {
        super(MessageType.UNKNOWN);
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        // nothing is known to be written
    }
}
