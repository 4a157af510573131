package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/** Stands in for a request with an unknown version or address type. */
public final class UnknownSocksRequest extends SocksRequest {
    public UnknownSocksRequest() {
        super(SocksRequestType.UNKNOWN);
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        // there is nothing to write
    }
}
