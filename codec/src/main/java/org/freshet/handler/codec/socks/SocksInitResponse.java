package org.freshet.handler.codec.socks;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** The authentication scheme chosen by the server (RFC 1928 3). */
public final class SocksInitResponse extends SocksResponse {
    private final AuthScheme authScheme;

    /** @param authScheme UNKNOWN if the server accepts none of the schemes offered */
    public SocksInitResponse(AuthScheme authScheme) {
        super(SocksResponseType.INIT);
        this.authScheme = Objects.requireNonNull(authScheme, "authScheme");
    }

    public AuthScheme getAuthScheme() {
        return authScheme;
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(getProtocolVersion().getByteValue());
        channelBuffer.writeByte(authScheme.getByteValue());
    }
}
