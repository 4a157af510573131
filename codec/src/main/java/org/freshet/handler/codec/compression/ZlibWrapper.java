package org.freshet.handler.codec.compression;

/** The format around deflated data. */
public enum ZlibWrapper {
    /** A header of 2 bytes and an Adler-32 checksum: RFC 1950. */
    ZLIB,
    /** The header of a gzip file, a CRC-32 and the length: RFC 1952. Can consist of several members. */
    GZIP,
    /** Nothing: RFC 1951. Damage may go unnoticed. */
    NONE,
    /** {@link #ZLIB} if the first two bytes look like it, else {@link #NONE}. For decoding only. */
    ZLIB_OR_NONE
}
