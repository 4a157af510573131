package org.freshet.handler.codec.socks;

import java.net.IDN;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** A SOCKS 5 request: a command and the host to run it for (RFC 1928 4). */
public final class SocksCmdRequest extends SocksRequest {
    private final CmdType cmdType;
    private final AddressType addressType;

    /** In the form sent on the wire. */
    private final String host;

    private final int port;

    /**
     * @param host an address of the type; with DOMAIN, a name, which may contain non-ASCII letters
     * @param port 1 to 65535, or 0 except with CONNECT: with UDP, 0 means that the client does not know yet from which
     *     port it will send datagrams
     * @throws IllegalArgumentException if the host is not of the type; if a name is empty, has a control character or a
     *     label longer than 63, or is longer than 255 in its wire form; or if the port is out of range
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

    /**
     * Returns the address, or the name in Unicode, even if it was received as {@code xn--...}. Use {@link IDN#toASCII}
     * to get a name to look up.
     */
    public String getHost() {
        return SocksFields.displayed(addressType, host);
    }

    public int getPort() {
        return port;
    }

    /** If the address type is unknown, leaves out the address and the port. */
    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(getProtocolVersion().getByteValue());
        channelBuffer.writeByte(cmdType.getByteValue());
        channelBuffer.writeByte(0);
        SocksFields.writeAddress(channelBuffer, addressType, host, port);
    }
}
