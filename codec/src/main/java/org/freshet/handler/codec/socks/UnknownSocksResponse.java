package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/** In place of a response whose version or address type the decoder does not know. */
public final class UnknownSocksResponse extends SocksResponse {
    public UnknownSocksResponse() {
        super(SocksResponseType.UNKNOWN);
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        // nothing is known to be written
    }
}
