package org.freshet.handler.codec.stomp;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;

/**
 * State shared by the handlers of one channel. The version is written by the encoder or the decoder, whichever sees
 * {@code CONNECTED}. The decoder counts reads, on the thread that delivers upstream events. Any thread may read.
 */
final class StompConnection {
    private static final ChannelLocal<StompConnection> CONNECTIONS = new ChannelLocal<>();

    /** Before {@code CONNECTED}, frames usually have no escapes; CR LF is accepted. */
    private volatile StompVersion version = StompVersion.V1_2;

    /** Incremented when the decoder begins or ends handling a read: changes as long as the peer sends. */
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

    /** A {@code CONNECTED} frame without a version means 1.0; an unknown version changes nothing. */
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
