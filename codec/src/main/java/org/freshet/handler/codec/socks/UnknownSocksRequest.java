package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/** In place of a request whose version or address type the decoder does not know. */
public final class UnknownSocksRequest extends SocksRequest {
    public UnknownSocksRequest() {
        super(SocksRequestType.UNKNOWN);
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        // nothing is known to be written
    }
}
