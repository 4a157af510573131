package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;
import org.freshet.handler.codec.socks.SocksMessage.ProtocolVersion;

/**
 * Decodes one {@link Socks4Request} and removes itself. An unknown command becomes {@code CmdType.UNKNOWN}. If the
 * version is not 4, the message is an {@link UnknownSocksRequest}, and only the version has been read.
 *
 * <p>The decoder closes the channel and throws an exception in these cases: {@link TooLongFrameException} if the user
 * ID or the name has more than 255 bytes; {@link CorruptedFrameException} if one of them is malformed, or if the port
 * is 0 with CONNECT (see {@link Socks4Request}).
 */
public class Socks4RequestDecoder extends SocksDecoder<Socks4RequestDecoder.State> {
    private static final String NAME_FOLLOWS = "0.0.0.";
    private static final String NO_ADDRESS = "0.0.0.0";

    private CmdType cmdType;
    private int port;
    private String address;
    private String userId;

    public Socks4RequestDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        switch (state) {
            case CHECK_PROTOCOL_VERSION:
                if (ProtocolVersion.fromByte(buffer.readByte()) != ProtocolVersion.SOCKS4a) {
                    return finish(ctx, new UnknownSocksRequest());
                }
                checkpoint(State.READ_CMD_HEADER);
                return null;
            case READ_CMD_HEADER:
                cmdType = CmdType.fromByte(buffer.readByte());
                port = buffer.readUnsignedShort();
                address = SocksFields.readIpv4(buffer);
                checkpoint(State.READ_USER_ID);
                return null;
            case READ_USER_ID:
                userId = readTerminated(channel, "userId", buffer);
                if (!address.startsWith(NAME_FOLLOWS) || address.equals(NO_ADDRESS)) {
                    return finish(ctx, address);
                }
                checkpoint(State.READ_NAME);
                return null;
            default:
                return finish(ctx, readTerminated(channel, "host", buffer));
        }
    }

    private Object finish(ChannelHandlerContext ctx, String host) throws CorruptedFrameException {
        return finish(ctx, () -> new Socks4Request(cmdType, host, port, userId));
    }

    private static String readTerminated(Channel channel, String field, ChannelBuffer buffer)
            throws TooLongFrameException {
        int length = buffer.bytesBefore(SocksFields.MAX_STRING_BYTES + 1, (byte) 0);
        if (length < 0) {
            TooLongFrameException tooLong =
                    new TooLongFrameException(field + " > " + SocksFields.MAX_STRING_BYTES + " bytes");
            channel.close(CloseReason.of(CloseReason.Kind.PROTOCOL, null, tooLong));
            throw tooLong;
        }
        String text = SocksFields.readAscii(buffer, length);
        buffer.skipBytes(1);
        return text;
    }

    public enum State {
        CHECK_PROTOCOL_VERSION,
        READ_CMD_HEADER,
        READ_USER_ID,
        READ_NAME
    }
}
