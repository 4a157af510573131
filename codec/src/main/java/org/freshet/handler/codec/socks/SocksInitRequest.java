package org.freshet.handler.codec.socks;

import java.util.List;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** A client's first message: the authentication schemes it offers (RFC 1928 3). */
public final class SocksInitRequest extends SocksRequest {
    private static final int MAX_SCHEMES = 0xff;

    private final List<AuthScheme> authSchemes;

    /**
     * @param authSchemes in order of preference; copied
     * @throws IllegalArgumentException if there are more than 255
     */
    public SocksInitRequest(List<AuthScheme> authSchemes) {
        super(SocksRequestType.INIT);
        this.authSchemes = List.copyOf(Objects.requireNonNull(authSchemes, "authSchemes"));
        if (authSchemes.size() > MAX_SCHEMES) {
            throw new IllegalArgumentException("authSchemes > " + MAX_SCHEMES + ": " + authSchemes.size());
        }
    }

    /** Returns an unmodifiable list. */
    public List<AuthScheme> getAuthSchemes() {
        return authSchemes;
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(getProtocolVersion().getByteValue());
        channelBuffer.writeByte(authSchemes.size());
        for (AuthScheme scheme : authSchemes) {
            channelBuffer.writeByte(scheme.getByteValue());
        }
    }
}
