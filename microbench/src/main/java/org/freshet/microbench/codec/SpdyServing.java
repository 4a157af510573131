package org.freshet.microbench.codec;

/** A server's SPDY session without a transport: each request is answered with a short text. */
interface SpdyServing {
    /** Receives one read. */
    void receive(byte[] octets);

    /** Returns the number of octets sent. */
    long sentOctets();

    /** Returns the number of requests answered. */
    int answers();
}
