package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/** Stands in for a response with an unknown version or address type. */
public final class UnknownSocksResponse extends SocksResponse {
    public UnknownSocksResponse() {
        super(SocksResponseType.UNKNOWN);
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        // there is nothing to write
    }
}
