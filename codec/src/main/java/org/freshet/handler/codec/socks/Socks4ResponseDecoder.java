package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Decodes one {@link Socks4Response} and removes itself. If the first byte is not 0, the message is an
 * {@link UnknownSocksResponse}, and only that byte has been read.
 */
public class Socks4ResponseDecoder extends SocksDecoder<Socks4ResponseDecoder.State> {
    public Socks4ResponseDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        if (state == State.CHECK_PROTOCOL_VERSION) {
            if (buffer.readByte() != Socks4Response.VERSION) {
                return finish(ctx, new UnknownSocksResponse());
            }
            checkpoint(State.READ_CMD_RESPONSE);
            return null;
        }
        Socks4Response.Status status = Socks4Response.Status.fromByte(buffer.readByte());
        int port = buffer.readUnsignedShort();
        return finish(ctx, new Socks4Response(status, SocksFields.readIpv4(buffer), port));
    }

    public enum State {
        CHECK_PROTOCOL_VERSION,
        READ_CMD_RESPONSE
    }
}
