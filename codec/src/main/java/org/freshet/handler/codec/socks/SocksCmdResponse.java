package org.freshet.handler.codec.socks;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** A SOCKS 5 response: the result of a command, and the server's address for it (RFC 1928 6). */
public final class SocksCmdResponse extends SocksResponse {
    private final CmdStatus cmdStatus;
    private final AddressType addressType;

    /** In the form sent on the wire; null for no address. */
    private final String host;

    private final int port;

    /** Creates a response without an address: an address of the type and a port are sent, all zeros. */
    public SocksCmdResponse(CmdStatus cmdStatus, AddressType addressType) {
        this(cmdStatus, addressType, null, 0);
    }

    /**
     * @param host the server's own address towards the target, or where it waits for the other end (BIND) or for
     *     datagrams (UDP); null for none, as in the other constructor
     * @param port 0 to 65535
     * @throws IllegalArgumentException if the host is not of the type (see {@link SocksCmdRequest}), or the port is out
     *     of range
     */
    public SocksCmdResponse(CmdStatus cmdStatus, AddressType addressType, String host, int port) {
        super(SocksResponseType.CMD);
        this.cmdStatus = Objects.requireNonNull(cmdStatus, "cmdStatus");
        this.addressType = Objects.requireNonNull(addressType, "addressType");
        this.host = host == null ? null : SocksFields.checkHost(addressType, host);
        this.port = SocksFields.checkPort(port, 0);
    }

    public CmdStatus getCmdStatus() {
        return cmdStatus;
    }

    public AddressType getAddressType() {
        return addressType;
    }

    /** Returns an address, or a name in Unicode; null if the response has none. */
    public String getHost() {
        return host == null ? null : SocksFields.displayed(addressType, host);
    }

    public int getPort() {
        return port;
    }

    /** If the address type is unknown, leaves out the address and the port. */
    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(getProtocolVersion().getByteValue());
        channelBuffer.writeByte(cmdStatus.getByteValue());
        channelBuffer.writeByte(0);
        SocksFields.writeAddress(channelBuffer, addressType, host, port);
    }
}
