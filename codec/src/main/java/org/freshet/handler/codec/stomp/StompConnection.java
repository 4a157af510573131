package org.freshet.handler.codec.stomp;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;

/**
 * What the handlers of one channel know of its connection: the version is written by the encoder or the decoder, whichever sees
 * {@code CONNECTED}; the reads are counted by the decoder, on the thread that delivers upstream events. Any thread may read.
 */
final class StompConnection {
    private static final ChannelLocal<StompConnection> CONNECTIONS = new ChannelLocal<>();

    /** Before {@code CONNECTED}, only frames without escapes are usual; CR LF is accepted. */
    private volatile StompVersion version = StompVersion.V1_2;

    /** How often the decoder began or ended to handle a read: changes as long as the peer sends. */
    private volatile int activity;

    private StompConnection() {}

    static StompConnection of(Channel channel) {
        StompConnection connection = CONNECTIONS.get(channel);
        if (connection != null) {
            return connection;
        }
        StompConnection created = new StompConnection();
        StompConnection earlier = CONNECTIONS.setIfAbsent(channel, created);
        return earlier == null ? created : earlier;
    }

    StompVersion version() {
        return version;
    }

    /** A {@code CONNECTED} without a version is of 1.0; one with an unknown version changes nothing. */
    void onConnected(StompHeaders headers) {
        String text = headers.get(StompHeaders.VERSION);
        StompVersion agreed = text == null ? StompVersion.V1_0 : StompVersion.of(text);
        if (agreed != null) {
            version = agreed;
        }
    }

    int activity() {
        return activity;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one thread writes
    void onActivity() {
        activity++;
    }
}
