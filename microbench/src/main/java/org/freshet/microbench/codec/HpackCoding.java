package org.freshet.microbench.codec;

/** A library's HPACK codec for one field block. */
interface HpackCoding {
    /** Clears the tables of both directions, as on a new connection. */
    void reset();

    /** Encodes the block; returns the number of octets. */
    int encode();

    /** Decodes octets encoded by Freshet's encoder; returns the number of fields. */
    int decode(byte[] block);
}
