package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;

/** A user name and a password (RFC 1929). They are sent as they are: whoever sees the connection sees them. */
public final class SocksAuthRequest extends SocksRequest {
    private final String username;
    private final String password;

    /**
     * Either may be empty.
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
