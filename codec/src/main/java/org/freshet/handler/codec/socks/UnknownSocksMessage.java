package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/**
 * A message from an unknown side. Freshet's decoders create {@link UnknownSocksRequest} and
 * {@link UnknownSocksResponse} instead.
 */
public final class UnknownSocksMessage extends SocksMessage {
    public UnknownSocksMessage() {
        super(MessageType.UNKNOWN);
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        // there is nothing to write
    }
}
