package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.socks.SocksMessage.AddressType;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;
import org.freshet.handler.codec.socks.SocksMessage.ProtocolVersion;

/**
 * Decodes one {@link SocksCmdRequest} and removes itself. An unknown command becomes {@code CmdType.UNKNOWN}.
 *
 * <p>If the version is not 5, or the address type is unknown, the message is an {@link UnknownSocksRequest}; nothing
 * after the version or the type has been read then. If the name is invalid, or the port is 0 with CONNECT (see
 * {@link SocksCmdRequest}), the decoder closes the channel and throws {@link CorruptedFrameException}.
 */
@SuppressWarnings("exports") // its states are package-private, as in Netty 3
public class SocksCmdRequestDecoder extends SocksDecoder<SocksCmdRequestDecoder.State> {
    private CmdType cmdType;
    private AddressType addressType;

    public SocksCmdRequestDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        switch (state) {
            case CHECK_PROTOCOL_VERSION:
                if (ProtocolVersion.fromByte(buffer.readByte()) != ProtocolVersion.SOCKS5) {
                    return finish(ctx, new UnknownSocksRequest());
                }
                checkpoint(State.READ_CMD_HEADER);
                return null;
            case READ_CMD_HEADER:
                cmdType = CmdType.fromByte(buffer.readByte());
                buffer.skipBytes(1); // reserved
                addressType = AddressType.fromByte(buffer.readByte());
                if (addressType == AddressType.UNKNOWN) {
                    return finish(ctx, new UnknownSocksRequest());
                }
                checkpoint(State.READ_CMD_ADDRESS);
                return null;
            default:
                String host = SocksFields.readHost(buffer, addressType);
                int port = buffer.readUnsignedShort();
                return finish(ctx, () -> new SocksCmdRequest(cmdType, addressType, host, port));
        }
    }

    enum State {
        CHECK_PROTOCOL_VERSION,
        READ_CMD_HEADER,
        READ_CMD_ADDRESS
    }
}
