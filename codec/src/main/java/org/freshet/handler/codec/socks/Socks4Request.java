package org.freshet.handler.codec.socks;

import java.net.IDN;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.util.NetUtil;

/**
 * A SOCKS 4 request: a command and the host to run it for. If the host is a name instead of an IPv4 address, this is
 * SOCKS 4a: the server resolves the name.
 */
public final class Socks4Request extends SocksRequest {
    /** 0.0.0.1, which is never a host: a name follows. */
    private static final int NAME_FOLLOWS = 1;

    private final CmdType cmdType;

    /** In the form sent on the wire. */
    private final String host;

    private final AddressType addressType;
    private final int port;
    private final String userId;

    /**
     * @param cmdType CONNECT or BIND; the server rejects others
     * @param host an IPv4 address, or a name, which may contain non-ASCII letters
     * @param port 1 to 65535, or 0 except with CONNECT
     * @param userId empty if the server does not require it
     * @throws IllegalArgumentException if a name is empty, has a control character or a label longer than 63, or is
     *     longer than 255 in its wire form; if the address is 0.0.0.x, which has another meaning; if the user ID has
     *     more than 255 characters, a NUL, or a character that is not ASCII; or if the port is out of range
     */
    public Socks4Request(CmdType cmdType, String host, int port, String userId) {
        super(SocksRequestType.CMD, ProtocolVersion.SOCKS4a);
        this.cmdType = Objects.requireNonNull(cmdType, "cmdType");
        this.addressType = NetUtil.isValidIpV4Address(Objects.requireNonNull(host, "host"))
                ? AddressType.IPv4
                : AddressType.DOMAIN;
        this.host = SocksFields.checkHost(addressType, host);
        this.port = SocksFields.checkPort(port, cmdType == CmdType.CONNECT ? 1 : 0);
        this.userId = SocksFields.checkAscii("userId", userId);
        if (userId.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("userId has a NUL at index " + userId.indexOf('\0'));
        }
        if (addressType == AddressType.IPv4 && host.startsWith("0.0.0.") && !host.equals("0.0.0.0")) {
            throw new IllegalArgumentException("host is 0.0.0.x, which announces a name: " + host);
        }
    }

    public CmdType getCmdType() {
        return cmdType;
    }

    /** Returns DOMAIN if this is SOCKS 4a, else IPv4. */
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

    /** Returns the user's claimed ID; never null. */
    public String getUserId() {
        return userId;
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(getProtocolVersion().getByteValue());
        channelBuffer.writeByte(cmdType.getByteValue());
        channelBuffer.writeShort(port);
        if (addressType == AddressType.IPv4) {
            SocksFields.writeIp(channelBuffer, host, SocksFields.IPV4_BYTES);
            SocksFields.writeTerminated(channelBuffer, userId);
        } else {
            channelBuffer.writeInt(NAME_FOLLOWS);
            SocksFields.writeTerminated(channelBuffer, userId);
            SocksFields.writeTerminated(channelBuffer, host);
        }
    }
}
