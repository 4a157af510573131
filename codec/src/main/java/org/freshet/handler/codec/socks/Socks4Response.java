package org.freshet.handler.codec.socks;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** A SOCKS 4 response: the result of a command, and the server's address for it. */
public final class Socks4Response extends SocksResponse {
    /** The first byte. Unlike in a request, it is 0. */
    static final byte VERSION = 0;

    private final Status status;

    /** Null for no address. */
    private final String host;

    private final int port;

    /** Creates a response without an address: zeros are sent. */
    public Socks4Response(Status status) {
        this(status, null, 0);
    }

    /**
     * @param host the server's own IPv4 address towards the target, or where it waits for the other end (BIND); null
     *     for none
     * @param port 0 to 65535
     * @throws IllegalArgumentException if the host is not an IPv4 address, or the port is out of range
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

    /**
     * Returns an IPv4 address; null if this was created without one. A received response without an address has
     * 0.0.0.0.
     */
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

    /** The result of a SOCKS 4 command. */
    public enum Status {
        GRANTED((byte) 90),

        /** Rejected or failed. */
        REJECTED((byte) 91),

        /** The server cannot reach ident on the client's host to ask for the user. */
        IDENT_UNREACHABLE((byte) 92),

        /** The client's host reports a different user. */
        IDENT_MISMATCH((byte) 93),

        /** Any other value; counts as a failure. */
        UNKNOWN((byte) 0xff);

        private final byte value;

        Status(byte value) {
            this.value = value;
        }

        /** Returns {@link #UNKNOWN} if no other constant has the value. */
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
