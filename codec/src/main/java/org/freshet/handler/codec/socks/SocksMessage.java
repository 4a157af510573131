package org.freshet.handler.codec.socks;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/**
 * A SOCKS message. Immutable.
 *
 * <p>The constants of the enums stand for bytes on the wire. If no constant has a byte's value, {@code fromByte}
 * returns the constant for unknown values, usually {@code UNKNOWN}.
 */
public abstract class SocksMessage {
    private final MessageType messageType;
    private final ProtocolVersion protocolVersion;

    /** Creates a SOCKS 5 message. */
    protected SocksMessage(MessageType messageType) {
        this(messageType, ProtocolVersion.SOCKS5);
    }

    SocksMessage(MessageType messageType, ProtocolVersion protocolVersion) {
        this.messageType = Objects.requireNonNull(messageType, "messageType");
        this.protocolVersion = protocolVersion;
    }

    public MessageType getMessageType() {
        return messageType;
    }

    public ProtocolVersion getProtocolVersion() {
        return protocolVersion;
    }

    /** Writes the message in its wire form. Writes nothing for an unknown message. */
    public abstract void encodeAsByteBuf(ChannelBuffer channelBuffer) throws Exception;

    /** The address types of SOCKS 5. */
    public enum AddressType {
        IPv4((byte) 1),
        /** A host name, to be resolved by the receiver. */
        DOMAIN((byte) 3),
        IPv6((byte) 4),
        UNKNOWN((byte) 0xff);

        private final byte value;

        AddressType(byte value) {
            this.value = value;
        }

        /** Returns {@link #UNKNOWN} if no other constant has the value. */
        public static AddressType fromByte(byte value) {
            for (AddressType known : values()) {
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

    /** An authentication scheme, offered by the client and chosen by the server. */
    public enum AuthScheme {
        NO_AUTH((byte) 0),
        AUTH_GSSAPI((byte) 1),
        AUTH_PASSWORD((byte) 2),
        /** Any other value; from a server, it means that none of the schemes offered is accepted. */
        UNKNOWN((byte) 0xff);

        private final byte value;

        AuthScheme(byte value) {
            this.value = value;
        }

        /** Returns {@link #UNKNOWN} if no other constant has the value. */
        public static AuthScheme fromByte(byte value) {
            for (AuthScheme known : values()) {
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

    /** Whether a user name and password are accepted. */
    public enum AuthStatus {
        SUCCESS((byte) 0),
        /** Any value but 0. */
        FAILURE((byte) 0xff);

        private final byte value;

        AuthStatus(byte value) {
            this.value = value;
        }

        /** Returns {@link #FAILURE} if no other constant has the value. */
        public static AuthStatus fromByte(byte value) {
            for (AuthStatus known : values()) {
                if (known.value == value) {
                    return known;
                }
            }
            return FAILURE;
        }

        public byte getByteValue() {
            return value;
        }
    }

    /** The result of a SOCKS 5 command. */
    public enum CmdStatus {
        SUCCESS((byte) 0),
        /** A failure without a more specific status. */
        FAILURE((byte) 1),
        /** Not allowed by the server's rules. */
        FORBIDDEN((byte) 2),
        NETWORK_UNREACHABLE((byte) 3),
        HOST_UNREACHABLE((byte) 4),
        REFUSED((byte) 5),
        TTL_EXPIRED((byte) 6),
        COMMAND_NOT_SUPPORTED((byte) 7),
        ADDRESS_NOT_SUPPORTED((byte) 8),
        /** Any other value. */
        UNASSIGNED((byte) 0xff);

        private final byte value;

        CmdStatus(byte value) {
            this.value = value;
        }

        /** Returns {@link #UNASSIGNED} if no other constant has the value. */
        public static CmdStatus fromByte(byte value) {
            for (CmdStatus known : values()) {
                if (known.value == value) {
                    return known;
                }
            }
            return UNASSIGNED;
        }

        public byte getByteValue() {
            return value;
        }
    }

    /** The commands of a client. */
    public enum CmdType {
        CONNECT((byte) 1),
        BIND((byte) 2),
        /** UDP ASSOCIATE; not in SOCKS 4. */
        UDP((byte) 3),
        UNKNOWN((byte) 0xff);

        private final byte value;

        CmdType(byte value) {
            this.value = value;
        }

        /** Returns {@link #UNKNOWN} if no other constant has the value. */
        public static CmdType fromByte(byte value) {
            for (CmdType known : values()) {
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

    /** Whether a message comes from the client or the server. */
    public enum MessageType {
        REQUEST,
        RESPONSE,
        UNKNOWN
    }

    /** The version of SOCKS. */
    public enum ProtocolVersion {
        /** Also SOCKS 4, which has the same number. */
        SOCKS4a((byte) 4),
        SOCKS5((byte) 5),
        UNKNOWN((byte) 0xff);

        private final byte value;

        ProtocolVersion(byte value) {
            this.value = value;
        }

        /** Returns {@link #UNKNOWN} if no other constant has the value. */
        public static ProtocolVersion fromByte(byte value) {
            for (ProtocolVersion known : values()) {
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

    /** The version of an authentication scheme's own messages. */
    public enum SubnegotiationVersion {
        AUTH_PASSWORD((byte) 1),
        UNKNOWN((byte) 0xff);

        private final byte value;

        SubnegotiationVersion(byte value) {
            this.value = value;
        }

        /** Returns {@link #UNKNOWN} if no other constant has the value. */
        public static SubnegotiationVersion fromByte(byte value) {
            for (SubnegotiationVersion known : values()) {
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
