package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.socks.SocksMessage.SubnegotiationVersion;

/**
 * Decodes one {@link SocksAuthRequest} and removes itself. If the version is not 1, the message is an
 * {@link UnknownSocksRequest}, and only the version has been read. If the name or password is not ASCII, the decoder
 * closes the channel and throws {@link CorruptedFrameException}.
 */
@SuppressWarnings("exports") // its states are package-private, as in Netty 3
public class SocksAuthRequestDecoder extends SocksDecoder<SocksAuthRequestDecoder.State> {
    private String username;

    public SocksAuthRequestDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        switch (state) {
            case CHECK_PROTOCOL_VERSION:
                if (SubnegotiationVersion.fromByte(buffer.readByte()) != SubnegotiationVersion.AUTH_PASSWORD) {
                    return finish(ctx, new UnknownSocksRequest());
                }
                checkpoint(State.READ_USERNAME);
                return null;
            case READ_USERNAME:
                username = SocksFields.readString(buffer);
                checkpoint(State.READ_PASSWORD);
                return null;
            default:
                String password = SocksFields.readString(buffer);
                return finish(ctx, () -> new SocksAuthRequest(username, password));
        }
    }

    enum State {
        CHECK_PROTOCOL_VERSION,
        READ_USERNAME,
        READ_PASSWORD
    }
}
