package org.freshet.handler.codec.socks;

import java.net.IDN;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** What a client asks a server of SOCKS 5 to do, and with which host (RFC 1928 4). */
public final class SocksCmdRequest extends SocksRequest {
    private final CmdType cmdType;
    private final AddressType addressType;

    /** As it is sent. */
    private final String host;

    private final int port;

    /**
     * @param host an address of the type; if that is DOMAIN, a name, which may have other letters than those of ASCII
     * @param port 1 to 65535, or 0 except with CONNECT: a client that does not know the port from which it will send datagrams
     *     gives 0 with UDP
     * @throws IllegalArgumentException if the host is not of the type; if a name is empty, has a control character or a label
     *     longer than 63, or is longer than 255 as it is sent; or if the port is out of range
     */
    public SocksCmdRequest(CmdType cmdType, AddressType addressType, String host, int port) {
        super(SocksRequestType.CMD);
        this.cmdType = Objects.requireNonNull(cmdType, "cmdType");
        this.addressType = Objects.requireNonNull(addressType, "addressType");
        this.host = SocksFields.checkHost(addressType, host);
        this.port = SocksFields.checkPort(port, cmdType == CmdType.CONNECT ? 1 : 0);
    }

    public CmdType getCmdType() {
        return cmdType;
    }

    public AddressType getAddressType() {
        return addressType;
    }

    /** A name in Unicode, also if it was received as {@code xn--...}; {@link IDN#toASCII} makes it one to look up. */
    public String getHost() {
        return SocksFields.displayed(addressType, host);
    }

    public int getPort() {
        return port;
    }

    /** With an unknown address type, ends before the address. */
    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(getProtocolVersion().getByteValue());
        channelBuffer.writeByte(cmdType.getByteValue());
        channelBuffer.writeByte(0);
        SocksFields.writeAddress(channelBuffer, addressType, host, port);
    }
}
