package org.freshet.microbench.codec;

/** A library's HPACK codec at work on one field block. */
interface HpackCoding {
    /** Forgets what the tables of both directions hold, as on a new connection. */
    void reset();

    /** Encodes the block; returns its octets. */
    int encode();

    /** Decodes the octets, encoded by Freshet's encoder; returns the number of fields. */
    int decode(byte[] block);
}
