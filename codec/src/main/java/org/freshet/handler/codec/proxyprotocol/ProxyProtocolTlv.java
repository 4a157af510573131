package org.freshet.handler.codec.proxyprotocol;

/** The types of the TLVs of version 2. Types from 0xE0 to 0xEF are for uses of your own. */
public final class ProxyProtocolTlv {
    /** The protocol chosen by ALPN, such as {@code h2}. */
    public static final int ALPN = 0x01;

    /** The host name that the client asked for, such as TLS's server name; UTF-8. */
    public static final int AUTHORITY = 0x02;

    /** The checksum of the header. The decoder verifies it and the encoder makes it; it is never among a header's TLVs. */
    public static final int CRC32C = 0x03;

    /** Padding; never among a header's TLVs. */
    public static final int NOOP = 0x04;

    /** What the proxy calls the connection, of up to 128 bytes. */
    public static final int UNIQUE_ID = 0x05;

    /** The client's TLS with the proxy, see {@link ProxyProtocolTls}. */
    public static final int SSL = 0x20;

    /** The name of a network namespace; ASCII. */
    public static final int NETNS = 0x30;

    static final int MAX_TYPE = 0xff;

    private ProxyProtocolTlv() {}

    static int check(int type) {
        if (type < 0 || type > MAX_TYPE || type == CRC32C || type == NOOP) {
            throw new IllegalArgumentException("not the type of a TLV with a value for applications: " + type);
        }
        return type;
    }
}
