package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.freshet.handler.codec.proxyprotocol.HeaderReader.FIXED_BYTES;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.freshet.buffer.ByteString;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.frame.CorruptedFrameException;

/** Reads a complete version 2 header. For one header and one thread. */
final class BlockReader {
    // Offsets in the fixed part.
    static final int VERSION_AND_COMMAND = 12;
    static final int FAMILY = 13;
    static final int LENGTH = 14;

    static final int VERSION = 0x20;
    static final int LOCAL = 0;
    static final int PROXY = 1;

    // Address families; the byte on the wire also has 1 for a stream or 2 for datagrams.
    static final int UNSPECIFIED = 0x00;
    static final int INET = 0x10;
    static final int INET6 = 0x20;
    static final int UNIX = 0x30;

    static final int INET_BYTES = 4;
    static final int INET6_BYTES = 16;
    static final int UNIX_BYTES = 108;
    static final int PORT_BYTES = 2;

    static final int TLV_HEAD_BYTES = 3;
    static final int CHECKSUM_BYTES = 4;

    private final ChannelBuffer in;
    private final int length;
    private final ProxyProtocolSettings settings;

    /** Null until there is a TLV to keep. */
    private Map<Integer, ByteString> tlvs;

    /** The offset of the checksum; 0 if the header has none. */
    private int checksum;

    /** @param length of the whole header in bytes */
    BlockReader(ChannelBuffer in, int length, ProxyProtocolSettings settings) {
        this.in = in;
        this.length = length;
        this.settings = settings;
    }

    /** @param value the version and command byte */
    static void checkCommand(int value) throws CorruptedFrameException {
        if (value != (VERSION | LOCAL) && value != (VERSION | PROXY)) {
            throw new CorruptedFrameException("not a PROXY protocol version and command: " + value);
        }
    }

    /** In a header for the proxy's own connection, everything but its length is ignored. */
    ProxyProtocolHeader read() throws CorruptedFrameException {
        if (byteAt(VERSION_AND_COMMAND) == (VERSION | LOCAL)) {
            return ProxyProtocolHeader.local();
        }
        int addressBytes = addressBytes(byteAt(FAMILY));
        int end = FIXED_BYTES + 2 * addressBytes;
        if (end > length) {
            throw malformed("too short for the addresses");
        }
        SocketAddress source = address(byteAt(FAMILY) & 0xf0, true);
        SocketAddress destination = address(byteAt(FAMILY) & 0xf0, false);
        readTlvs(end);
        if (checksum != 0) {
            verify();
        }
        return new ProxyProtocolHeader(false, source, destination, tlvs == null ? Map.of() : tlvs);
    }

    private int byteAt(int offset) {
        return HeaderReader.byteAt(in, offset);
    }

    // ---- addresses --------------------------------------------------------------------------------------------------

    /** Returns the bytes of one address, including its port. */
    private static int addressBytes(int family) throws CorruptedFrameException {
        return switch (family) {
            case UNSPECIFIED -> 0;
            case INET | 1, INET | 2 -> INET_BYTES + PORT_BYTES;
            case INET6 | 1, INET6 | 2 -> INET6_BYTES + PORT_BYTES;
            case UNIX | 1, UNIX | 2 -> UNIX_BYTES;
            default -> throw malformed("unknown family and transport: " + family);
        };
    }

    private SocketAddress address(int family, boolean isSource) throws CorruptedFrameException {
        return switch (family) {
            case INET -> inet(INET_BYTES, isSource);
            case INET6 -> inet(INET6_BYTES, isSource);
            case UNIX -> unix(FIXED_BYTES + (isSource ? 0 : UNIX_BYTES));
            default -> null;
        };
    }

    /** Both addresses come before both ports. */
    private InetSocketAddress inet(int bytes, boolean isSource) {
        byte[] ip = new byte[bytes];
        in.getBytes(in.readerIndex() + FIXED_BYTES + (isSource ? 0 : bytes), ip);
        return address(ip, HeaderReader.shortAt(in, FIXED_BYTES + 2 * bytes + (isSource ? 0 : PORT_BYTES)));
    }

    /** An IPv4-mapped address becomes the plain IPv4 address. */
    static InetSocketAddress address(byte[] ip, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(ip), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only thrown for a wrong number of bytes
        }
    }

    /** Returns an unnamed address if the path is empty, abstract, or not a valid path on this system. */
    private UnixDomainSocketAddress unix(int offset) throws CorruptedFrameException {
        int end = offset;
        while (end < offset + UNIX_BYTES && byteAt(end) != 0) {
            if (byteAt(end) < ' ' || byteAt(end) == 0x7f) {
                throw malformed("control character in a path");
            }
            end++;
        }
        try {
            return UnixDomainSocketAddress.of(in.toString(in.readerIndex() + offset, end - offset, UTF_8));
        } catch (InvalidPathException e) {
            return UnixDomainSocketAddress.of("");
        }
    }

    // ---- TLVs -------------------------------------------------------------------------------------------------------

    private void readTlvs(int start) throws CorruptedFrameException {
        for (int at = start; at < length; ) {
            int value = at + TLV_HEAD_BYTES;
            int next = value > length ? Integer.MAX_VALUE : value + HeaderReader.shortAt(in, at + 1);
            if (next > length) {
                throw malformed("TLV extends beyond the end");
            }
            onTlv(byteAt(at), value, next - value);
            at = next;
        }
    }

    private void onTlv(int type, int offset, int bytes) throws CorruptedFrameException {
        if (type == ProxyProtocolTlv.CRC32C) {
            if (bytes != CHECKSUM_BYTES || checksum != 0) {
                throw malformed("not exactly one checksum of " + CHECKSUM_BYTES + " bytes");
            }
            checksum = offset;
        } else if (settings.keepsTlv(type)) {
            keep(type, ByteString.copyOf(in.slice(in.readerIndex() + offset, bytes)));
        }
    }

    private void keep(int type, ByteString value) throws CorruptedFrameException {
        if (type == ProxyProtocolTlv.SSL) {
            ProxyProtocolTls.parse(value);
        }
        if (tlvs == null) {
            tlvs = new TreeMap<>();
        }
        if (tlvs.put(type, value) != null) {
            throw malformed("two TLVs of type " + type);
        }
    }

    /** The checksum covers the header with zeros in place of the checksum. */
    private void verify() throws CorruptedFrameException {
        CRC32C crc = new CRC32C();
        for (int i = 0; i < length; i++) {
            crc.update(i >= checksum && i < checksum + CHECKSUM_BYTES ? 0 : byteAt(i));
        }
        long stated = (long) HeaderReader.shortAt(in, checksum) << 16 | HeaderReader.shortAt(in, checksum + 2);
        if (crc.getValue() != stated) {
            throw malformed("wrong checksum");
        }
    }

    private static CorruptedFrameException malformed(String what) {
        return new CorruptedFrameException("malformed PROXY protocol header: " + what);
    }
}
