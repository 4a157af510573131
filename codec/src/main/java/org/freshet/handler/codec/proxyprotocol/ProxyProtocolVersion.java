package org.freshet.handler.codec.proxyprotocol;

/** The versions of the PROXY protocol. */
public enum ProxyProtocolVersion {
    /**
     * A line of text with the addresses. It has no TLVs, and is {@code UNKNOWN} for addresses that aren't IP addresses.
     */
    V1,
    /** Binary, with TLVs. */
    V2
}
