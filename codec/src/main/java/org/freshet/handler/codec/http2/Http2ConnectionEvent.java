package org.freshet.handler.codec.http2;

import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;

/**
 * Reports something the peer has said about the whole connection. Goes up the connection's pipeline from its
 * {@link Http2ServerHandler} or {@link Http2ClientHandler}, on the I/O thread, after the connection has processed it.
 * Immutable.
 */
public abstract sealed class Http2ConnectionEvent implements ChannelEvent {
    private final Channel channel;

    private Http2ConnectionEvent(Channel channel) {
        this.channel = Objects.requireNonNull(channel, "channel");
    }

    /** The peer's SETTINGS have arrived: the first ones, or changed ones. */
    public static final class SettingsReceived extends Http2ConnectionEvent {
        private final long maxConcurrentStreams;
        private final int initialWindowSize;

        SettingsReceived(Channel channel, long maxConcurrentStreams, int initialWindowSize) {
            super(channel);
            this.maxConcurrentStreams = maxConcurrentStreams;
            this.initialWindowSize = initialWindowSize;
        }

        /** How many of our streams the peer accepts at a time; {@code Long.MAX_VALUE} if it sets no limit. */
        public long getMaxConcurrentStreams() {
            return maxConcurrentStreams;
        }

        /** Octets of content that the peer accepts on a stream before it reads any. */
        public int getInitialWindowSize() {
            return initialWindowSize;
        }

        @Override
        public String toString() {
            return getChannel() + " SETTINGS: " + maxConcurrentStreams + " streams, windows of " + initialWindowSize;
        }
    }

    /** The peer accepts no more streams (GOAWAY). The streams it has accepted continue until they end. */
    public static final class GoAwayReceived extends Http2ConnectionEvent {
        private final int lastStreamId;
        private final Http2Error error;
        private final String debugData;

        GoAwayReceived(Channel channel, int lastStreamId, Http2Error error, String debugData) {
            super(channel);
            this.lastStreamId = lastStreamId;
            this.error = error;
            this.debugData = debugData;
        }

        /**
         * The highest number of our streams that the peer has processed or may process. Requests on later streams can be
         * retried elsewhere.
         */
        public int getLastStreamId() {
            return lastStreamId;
        }

        /** {@link Http2Error#NO_ERROR} if the peer ends the connection gracefully. */
        public Http2Error getError() {
            return error;
        }

        /** The peer's text for people, with control characters escaped; may be empty. */
        public String getDebugData() {
            return debugData;
        }

        @Override
        public String toString() {
            return getChannel() + " GOAWAY: " + error + " after stream " + lastStreamId
                    + (debugData.isEmpty() ? "" : ", " + debugData);
        }
    }

    @Override
    public final Channel getChannel() {
        return channel;
    }

    @Override
    public final ChannelFuture getFuture() {
        return Channels.succeededFuture(channel);
    }
}
