package org.freshet.handler.codec.socks;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** How a server of SOCKS 4 carried out a command, and its address for it. */
public final class Socks4Response extends SocksResponse {
    /** The first byte, which is not the version of a request. */
    static final byte VERSION = 0;

    private final Status status;

    /** Null for none. */
    private final String host;

    private final int port;

    /** Without an address: zeros are sent. */
    public Socks4Response(Status status) {
        this(status, null, 0);
    }

    /**
     * @param host the server's own IPv4 address towards the target, or where it waits for the other end (BIND). Null for none.
     * @param port 0 to 65535
     * @throws IllegalArgumentException if the host is not an IPv4 address, or the port out of range
     */
    public Socks4Response(Status status, String host, int port) {
        super(SocksResponseType.CMD, ProtocolVersion.SOCKS4a);
        this.status = Objects.requireNonNull(status, "status");
        this.host = host == null ? null : SocksFields.checkHost(AddressType.IPv4, host);
        this.port = SocksFields.checkPort(port, 0);
    }

    public Status getStatus() {
        return status;
    }

    /** An IPv4 address, 0.0.0.0 in a received response that has none; null if this was made without one. */
    public String getHost() {
        return host;
    }

    public int getPort() {
        return port;
    }

    @Override
    public void encodeAsByteBuf(ChannelBuffer channelBuffer) {
        channelBuffer.writeByte(VERSION);
        channelBuffer.writeByte(status.getByteValue());
        channelBuffer.writeShort(port);
        SocksFields.writeIp(channelBuffer, host, SocksFields.IPV4_BYTES);
    }

    /** What became of a command of SOCKS 4. */
    public enum Status {
        GRANTED((byte) 90),

        /** Rejected, or failed. */
        REJECTED((byte) 91),

        /** The server cannot ask the client's host, by ident, who the user is. */
        IDENT_UNREACHABLE((byte) 92),

        /** The client's host names another user. */
        IDENT_MISMATCH((byte) 93),

        /** Any other; counts as a failure. */
        UNKNOWN((byte) 0xff);

        private final byte value;

        Status(byte value) {
            this.value = value;
        }

        /** {@link #UNKNOWN} if no other constant has the value. */
        public static Status fromByte(byte value) {
            for (Status known : values()) {
                if (known.value == value) {
                    return known;
                }
            }
            return UNKNOWN;
        }

        public byte getByteValue() {
            return value;
        }
    }
}
