package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.SocksMessage.AuthStatus;
import org.freshet.handler.codec.socks.SocksMessage.SubnegotiationVersion;

/**
 * Decodes one {@link SocksAuthResponse} and removes itself. If the version is not 1, the message is an
 * {@link UnknownSocksResponse}, and only the version has been read.
 */
public class SocksAuthResponseDecoder extends SocksDecoder<SocksAuthResponseDecoder.State> {
    public SocksAuthResponseDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        if (state == State.CHECK_PROTOCOL_VERSION) {
            if (SubnegotiationVersion.fromByte(buffer.readByte()) != SubnegotiationVersion.AUTH_PASSWORD) {
                return finish(ctx, new UnknownSocksResponse());
            }
            checkpoint(State.READ_AUTH_RESPONSE);
            return null;
        }
        return finish(ctx, new SocksAuthResponse(AuthStatus.fromByte(buffer.readByte())));
    }

    public enum State {
        CHECK_PROTOCOL_VERSION,
        READ_AUTH_RESPONSE
    }
}
