package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Headers of version 2 as bytes, built by hand so that they may be wrong in any way. Stateless. */
final class Blocks {
    static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    /** From 203.0.113.7:4711 to 198.51.100.1:443. */
    static final String INET = "cb007107" + "c6336401" + "1267" + "01bb";

    /** From [2001:db8::7]:4711 to [2001:db8::1]:443. */
    static final String INET6 =
            "20010db8000000000000000000000007" + "20010db8000000000000000000000001" + "1267" + "01bb";

    private Blocks() {}

    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** A header with its length field. */
    static byte[] block(int command, int family, String body) {
        return hex(SIGNATURE + String.format("%02x%02x%04x", command, family, body.length() / 2) + body);
    }

    /** From {@link #INET}, with TLVs. */
    static byte[] proxied(String tlvs) {
        return block(0x21, 0x11, INET + tlvs);
    }

    static String tlv(int type, String hexValue) {
        return String.format("%02x%04x", type, hexValue.length() / 2) + hexValue;
    }

    static String tlvOfText(int type, String value) {
        return tlv(type, hex(value.getBytes(ISO_8859_1)));
    }

    static String path(String path) {
        return hex(path.getBytes(ISO_8859_1)) + "00".repeat(108 - path.length());
    }

    static byte[] join(byte[] header, String rest) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(header);
        all.writeBytes(rest.getBytes(ISO_8859_1));
        return all.toByteArray();
    }
}
