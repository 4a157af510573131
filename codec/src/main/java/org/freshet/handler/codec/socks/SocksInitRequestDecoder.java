package org.freshet.handler.codec.socks;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.SocksMessage.AuthScheme;
import org.freshet.handler.codec.socks.SocksMessage.ProtocolVersion;

/**
 * Decodes one {@link SocksInitRequest} and removes itself. If the version is not 5, the message is an
 * {@link UnknownSocksRequest}, and only the version has been read.
 */
@SuppressWarnings("exports") // its states are package-private, as in Netty 3
public class SocksInitRequestDecoder extends SocksDecoder<SocksInitRequestDecoder.State> {
    public SocksInitRequestDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        if (state == State.CHECK_PROTOCOL_VERSION) {
            if (ProtocolVersion.fromByte(buffer.readByte()) != ProtocolVersion.SOCKS5) {
                return finish(ctx, new UnknownSocksRequest());
            }
            checkpoint(State.READ_AUTH_SCHEMES);
            return null;
        }
        ChannelBuffer schemes = buffer.readBytes(buffer.readUnsignedByte());
        List<AuthScheme> offered = new ArrayList<>(schemes.readableBytes());
        while (schemes.readable()) {
            offered.add(AuthScheme.fromByte(schemes.readByte()));
        }
        return finish(ctx, new SocksInitRequest(offered));
    }

    enum State {
        CHECK_PROTOCOL_VERSION,
        READ_AUTH_SCHEMES
    }
}
