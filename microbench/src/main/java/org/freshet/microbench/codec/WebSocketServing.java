package org.freshet.microbench.codec;

/** The server's pipelines of a number of WebSockets, for any library, without a transport. */
interface WebSocketServing {
    /** Copies a client's frame into a new buffer, like a transport, and fires it at the next connection. */
    void receive(byte[] frame);

    /** Writes one text to the group of all connections. */
    void broadcast(String text);

    /** Returns the bytes of content that handlers have received. */
    long receivedBytes();

    /** Returns the bytes that would have been sent. */
    long sentBytes();

    /**
     * The configuration of the WebSockets.
     *
     * @param deflates whether permessage-deflate was negotiated, without context takeover on either side
     * @param echoes whether each message is sent back
     */
    record Setting(int connections, boolean deflates, boolean echoes) {}
}
