package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.SocksMessage.AuthScheme;
import org.freshet.handler.codec.socks.SocksMessage.ProtocolVersion;

/**
 * Decodes one {@link SocksInitResponse} and removes itself. If the version is not 5, the message is an
 * {@link UnknownSocksResponse}, and only the version has been read.
 */
public class SocksInitResponseDecoder extends SocksDecoder<SocksInitResponseDecoder.State> {
    public SocksInitResponseDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        if (state == State.CHECK_PROTOCOL_VERSION) {
            if (ProtocolVersion.fromByte(buffer.readByte()) != ProtocolVersion.SOCKS5) {
                return finish(ctx, new UnknownSocksResponse());
            }
            checkpoint(State.READ_PREFFERED_AUTH_TYPE);
            return null;
        }
        return finish(ctx, new SocksInitResponse(AuthScheme.fromByte(buffer.readByte())));
    }

    public enum State {
        CHECK_PROTOCOL_VERSION,
        READ_PREFFERED_AUTH_TYPE
    }
}
