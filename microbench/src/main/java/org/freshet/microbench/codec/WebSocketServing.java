package org.freshet.microbench.codec;

/** The server's pipelines of a number of WebSockets, whosever they are, without a transport. */
interface WebSocketServing {
    /** Copies a client's frame into a new buffer, as a transport does, and fires it at the next connection. */
    void receive(byte[] frame);

    /** Writes one text to the group of all connections. */
    void broadcast(String text);

    /** Bytes of content that handlers have received. */
    long receivedBytes();

    /** Bytes that would have been sent. */
    long sentBytes();

    /**
     * How they are made.
     *
     * @param deflates whether permessage-deflate was agreed on, without context takeover on either side
     * @param echoes whether each message goes back
     */
    record Setting(int connections, boolean deflates, boolean echoes) {}
}
