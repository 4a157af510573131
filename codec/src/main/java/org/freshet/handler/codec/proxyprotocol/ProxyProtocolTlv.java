package org.freshet.handler.codec.proxyprotocol;

/** The types of version 2 TLVs. Types 0xE0 to 0xEF are free for your own use. */
public final class ProxyProtocolTlv {
    /** The protocol chosen by ALPN, such as {@code h2}. */
    public static final int ALPN = 0x01;

    /** The host name that the client asked for, such as TLS's server name; UTF-8. */
    public static final int AUTHORITY = 0x02;

    /**
     * The checksum of the header. The encoder adds it and the decoder verifies it; it is never among a header's TLVs.
     */
    public static final int CRC32C = 0x03;

    /** Padding; never among a header's TLVs. */
    public static final int NOOP = 0x04;

    /** The proxy's identifier of the connection, up to 128 bytes. */
    public static final int UNIQUE_ID = 0x05;

    /** The client's TLS connection to the proxy, see {@link ProxyProtocolTls}. */
    public static final int SSL = 0x20;

    /** The name of a network namespace; ASCII. */
    public static final int NETNS = 0x30;

    static final int MAX_TYPE = 0xff;

    private ProxyProtocolTlv() {}

    static int check(int type) {
        if (type < 0 || type > MAX_TYPE || type == CRC32C || type == NOOP) {
            throw new IllegalArgumentException("not a TLV type for applications: " + type);
        }
        return type;
    }
}
