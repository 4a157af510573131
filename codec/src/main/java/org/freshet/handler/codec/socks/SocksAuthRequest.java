package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/**
 * A user name and a password (RFC 1929). They are sent as plain text: anyone who sees the connection's bytes can read
 * them.
 */
public final class SocksAuthRequest extends SocksRequest {
    private final String username;
    private final String password;

    /**
     * Creates a request. The name and the password may be empty.
     *
     * @throws IllegalArgumentException if either has more than 255 characters, or one that is not ASCII
     */
    public SocksAuthRequest(String username, String password) {
        super(SocksRequestType.AUTH);
        this.username = SocksFields.checkAscii("username", username);
        this.password = SocksFields.checkAscii("password", password);
    }

    public String getUsername() {
        return username;
    }

    public String getPassword() {
        return password;
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(SubnegotiationVersion.AUTH_PASSWORD.getByteValue());
        SocksFields.writeString(channelBuffer, username);
        SocksFields.writeString(channelBuffer, password);
    }
}
