package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.freshet.handler.codec.proxyprotocol.HeaderReader.FIXED_BYTES;

import java.io.ByteArrayOutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.freshet.util.NetUtil;

/**
 * Writes headers. Addresses are written from their numbers, never from names, so they can't contain a line end.
 * Stateless.
 */
final class HeaderWriter {
    private static final String UNKNOWN = "PROXY UNKNOWN\r\n";

    private HeaderWriter() {}

    /** Writes version 1. If the two IP addresses are of different families, both are written as IPv6. */
    static byte[] line(ProxyProtocolHeader header) {
        if (!(header.source() instanceof InetSocketAddress source)) {
            return UNKNOWN.getBytes(US_ASCII);
        }
        InetSocketAddress destination = (InetSocketAddress) header.destination();
        boolean isV4 = areV4(source, destination);
        String text = "PROXY " + (isV4 ? "TCP4 " : "TCP6 ") + text(isV4, source) + ' ' + text(isV4, destination) + ' '
                + source.getPort() + ' ' + destination.getPort() + "\r\n";
        return text.getBytes(US_ASCII);
    }

    private static boolean areV4(InetSocketAddress source, InetSocketAddress destination) {
        return source.getAddress() instanceof Inet4Address && destination.getAddress() instanceof Inet4Address;
    }

    private static String text(boolean isV4, InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        String text = NetUtil.toAddressString(ip);
        return isV4 || !(ip instanceof Inet4Address) ? text : "::ffff:" + text;
    }

    /**
     * Writes version 2.
     *
     * @throws IllegalArgumentException if the TLVs or a path are too long
     */
    static byte[] block(ProxyProtocolHeader header, boolean hasChecksum) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HeaderReader.SIGNATURE);
        out.write(BlockReader.VERSION | (header.isLocal() ? BlockReader.LOCAL : BlockReader.PROXY));
        out.write(family(header));
        writeShort(out, 0); // placeholder for the length
        writeAddresses(out, header.source(), header.destination());
        header.tlvs().forEach((type, value) -> writeTlv(out, type, value.toByteArray()));
        int checksum = out.size() + BlockReader.TLV_HEAD_BYTES;
        if (hasChecksum) {
            writeTlv(out, ProxyProtocolTlv.CRC32C, new byte[BlockReader.CHECKSUM_BYTES]);
        }
        byte[] block = out.toByteArray();
        setShort(block, BlockReader.LENGTH, block.length - FIXED_BYTES);
        if (hasChecksum) {
            CRC32C crc = new CRC32C();
            crc.update(block);
            setShort(block, checksum, (int) (crc.getValue() >>> 16));
            setShort(block, checksum + 2, (int) crc.getValue() & 0xffff);
        }
        return block;
    }

    private static int family(ProxyProtocolHeader header) {
        if (header.source() instanceof InetSocketAddress source) {
            return (areV4(source, (InetSocketAddress) header.destination()) ? BlockReader.INET : BlockReader.INET6) | 1;
        }
        return header.source() == null ? BlockReader.UNSPECIFIED : BlockReader.UNIX | 1;
    }

    private static void writeAddresses(ByteArrayOutputStream out, SocketAddress source, SocketAddress destination) {
        if (source instanceof InetSocketAddress from && destination instanceof InetSocketAddress to) {
            boolean isV4 = areV4(from, to);
            out.writeBytes(ip(isV4, from));
            out.writeBytes(ip(isV4, to));
            writeShort(out, from.getPort());
            writeShort(out, to.getPort());
        } else if (source != null) {
            out.writeBytes(path(source));
            out.writeBytes(path(destination));
        }
    }

    private static byte[] ip(boolean isV4, InetSocketAddress address) {
        byte[] ip = address.getAddress().getAddress();
        if (isV4 || ip.length == BlockReader.INET6_BYTES) {
            return ip;
        }
        byte[] mapped = new byte[BlockReader.INET6_BYTES];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(ip, 0, mapped, mapped.length - ip.length, ip.length);
        return mapped;
    }

    private static byte[] path(SocketAddress address) {
        String path = ((UnixDomainSocketAddress) address).getPath().toString();
        byte[] bytes = path.getBytes(UTF_8);
        if (bytes.length > BlockReader.UNIX_BYTES) {
            throw new IllegalArgumentException("bytes of path > " + BlockReader.UNIX_BYTES + ": " + path);
        }
        return Arrays.copyOf(bytes, BlockReader.UNIX_BYTES);
    }

    private static void writeTlv(ByteArrayOutputStream out, int type, byte[] value) {
        out.write(type);
        writeShort(out, value.length);
        out.writeBytes(value);
    }

    private static void writeShort(ByteArrayOutputStream out, int value) {
        out.write(checkShort(value) >> 8);
        out.write(value);
    }

    private static void setShort(byte[] bytes, int offset, int value) {
        bytes[offset] = (byte) (checkShort(value) >> 8);
        bytes[offset + 1] = (byte) value;
    }

    private static int checkShort(int value) {
        if (value > 0xffff) {
            throw new IllegalArgumentException("bytes of a TLV, or of the addresses and all TLVs > 65535: " + value);
        }
        return value;
    }
}
