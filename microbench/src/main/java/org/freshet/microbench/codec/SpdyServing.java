package org.freshet.microbench.codec;

/** A server's session of SPDY without a transport: each request is answered with a short text. */
interface SpdyServing {
    /** One read. */
    void receive(byte[] octets);

    /** Octets that were sent. */
    long sentOctets();

    /** Requests that were answered. */
    int answers();
}
