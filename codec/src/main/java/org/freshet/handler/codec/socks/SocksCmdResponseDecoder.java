package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.socks.SocksMessage.AddressType;
import org.freshet.handler.codec.socks.SocksMessage.CmdStatus;
import org.freshet.handler.codec.socks.SocksMessage.ProtocolVersion;

/**
 * Decodes one {@link SocksCmdResponse} and removes itself. An unknown status becomes {@code CmdStatus.UNASSIGNED}.
 *
 * <p>If the version is not 5, or the address type is unknown, the message is an {@link UnknownSocksResponse}; nothing
 * after the version or the type has been read then. If the name is invalid (see {@link SocksCmdResponse}), the decoder
 * closes the channel and throws {@link CorruptedFrameException}.
 */
public class SocksCmdResponseDecoder extends SocksDecoder<SocksCmdResponseDecoder.State> {
    private CmdStatus cmdStatus;
    private AddressType addressType;

    public SocksCmdResponseDecoder() {
        super(State.CHECK_PROTOCOL_VERSION);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        switch (state) {
            case CHECK_PROTOCOL_VERSION:
                if (ProtocolVersion.fromByte(buffer.readByte()) != ProtocolVersion.SOCKS5) {
                    return finish(ctx, new UnknownSocksResponse());
                }
                checkpoint(State.READ_CMD_HEADER);
                return null;
            case READ_CMD_HEADER:
                cmdStatus = CmdStatus.fromByte(buffer.readByte());
                buffer.skipBytes(1); // reserved
                addressType = AddressType.fromByte(buffer.readByte());
                if (addressType == AddressType.UNKNOWN) {
                    return finish(ctx, new UnknownSocksResponse());
                }
                checkpoint(State.READ_CMD_ADDRESS);
                return null;
            default:
                String host = SocksFields.nullIfAbsent(SocksFields.readHost(buffer, addressType));
                int port = buffer.readUnsignedShort();
                return finish(ctx, () -> new SocksCmdResponse(cmdStatus, addressType, host, port));
        }
    }

    public enum State {
        CHECK_PROTOCOL_VERSION,
        READ_CMD_HEADER,
        READ_CMD_ADDRESS
    }
}
