package org.freshet.handler.codec.socks;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** The server's answer to a user name and password (RFC 1929). After a failure the server must close the connection. */
public final class SocksAuthResponse extends SocksResponse {
    private final AuthStatus authStatus;

    public SocksAuthResponse(AuthStatus authStatus) {
        super(SocksResponseType.AUTH);
        this.authStatus = Objects.requireNonNull(authStatus, "authStatus");
    }

    public AuthStatus getAuthStatus() {
        return authStatus;
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(SubnegotiationVersion.AUTH_PASSWORD.getByteValue());
        channelBuffer.writeByte(authStatus.getByteValue());
    }
}
