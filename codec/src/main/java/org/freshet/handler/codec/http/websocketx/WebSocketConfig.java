package org.freshet.handler.codec.http.websocketx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/** The settings common to WebSocket servers and clients. Immutable; any number of connections may share one. */
public abstract class WebSocketConfig {
    static final Duration DEFAULT_HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);
    static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(3);

    private final List<String> subprotocols;
    private final List<WebSocketExtensionNegotiator> extensions;
    private final HttpLimits limits;
    private final Duration handshakeTimeout;
    private final Duration closeTimeout;
    private final Duration pingInterval;
    private final Duration pongTimeout;
    private final Timer timer;

    WebSocketConfig(Builder<?> builder) {
        subprotocols = List.copyOf(builder.subprotocols);
        extensions = List.copyOf(builder.extensions);
        limits = builder.limits;
        handshakeTimeout = builder.handshakeTimeout;
        closeTimeout = builder.closeTimeout;
        pingInterval = builder.pingInterval;
        pongTimeout = builder.pongTimeout;
        timer = builder.timer;
    }

    /** The sub-protocols, best first. */
    public List<String> subprotocols() {
        return subprotocols;
    }

    public List<WebSocketExtensionNegotiator> extensions() {
        return extensions;
    }

    public HttpLimits limits() {
        return limits;
    }

    public Duration handshakeTimeout() {
        return handshakeTimeout;
    }

    public Duration closeTimeout() {
        return closeTimeout;
    }

    /** Zero means no pings. */
    public Duration pingInterval() {
        return pingInterval;
    }

    public Duration pongTimeout() {
        return pongTimeout;
    }

    /** Null uses Freshet's own. */
    public Timer timer() {
        return timer;
    }

    /** The sub-protocols as a comma-separated list; null if none are configured. */
    final String subprotocolList() {
        return subprotocols.isEmpty() ? null : String.join(",", subprotocols);
    }

    /**
     * Collects the settings. Not thread-safe.
     *
     * @param <B> the concrete builder type
     */
    public abstract static class Builder<B extends Builder<B>> {
        private final List<String> subprotocols = new ArrayList<>();
        private List<WebSocketExtensionNegotiator> extensions = List.of(PerMessageDeflate.defaults());
        private HttpLimits limits = HttpLimits.defaults();
        private Duration handshakeTimeout = DEFAULT_HANDSHAKE_TIMEOUT;
        private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
        private Duration pingInterval = Duration.ZERO;
        private Duration pongTimeout = Duration.ofSeconds(10);
        private Timer timer;

        Builder() {}

        abstract B self();

        /**
         * Adds sub-protocols, best first. None by default. A server picks the first of these offered by the client, whatever
         * the client's order (RFC 6455, section 4.2.2, leaves it the choice). If the client offers none of them, the server
         * continues without a sub-protocol.
         */
        public B subprotocols(String... names) {
            Collections.addAll(subprotocols, names);
            return self();
        }

        /** The extensions, best first. Replaces the default, which is only {@link PerMessageDeflate#defaults()}. */
        public B extensions(WebSocketExtensionNegotiator... negotiators) {
            extensions = List.of(negotiators);
            return self();
        }

        /** The limits of frames and messages. Default: {@link HttpLimits#defaults()}. */
        public B limits(HttpLimits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return self();
        }

        /**
         * How long the handshake may take, counted from the connect. Default: 10 seconds. {@link Duration#ZERO} means no limit.
         */
        public B handshakeTimeout(Duration timeout) {
            handshakeTimeout = Durations.limit("handshakeTimeout", timeout);
            return self();
        }

        /**
         * How long the peer may take to answer a close frame, and a server to close the connection, before this side closes it.
         * On a blocking transport, also how long the close frame may wait for a frame that another thread is writing.
         * Default: 3 seconds. {@link Duration#ZERO} means no limit.
         */
        public B closeTimeout(Duration timeout) {
            closeTimeout = Durations.limit("closeTimeout", timeout);
            return self();
        }

        /**
         * Sends a ping whenever this interval has passed since the last pong. If neither a pong nor anything else arrives in
         * time, closes the connection with a {@link org.freshet.handler.timeout.TimeoutException}. By default no pings are
         * sent.
         *
         * <p>The time-out begins when the ping has been sent. A ping waits until the channel is writable, and until then the
         * peer only has to accept some of the bytes waiting for it. Time during which the channel isn't read doesn't count, so
         * a channel that never reads is never closed. {@link org.freshet.channel.ChannelOption#WRITE_STALL_TIMEOUT_MILLIS}
         * bounds that too, as long as something waits for the peer.
         *
         * @param interval {@link Duration#ZERO} means no pings
         * @param pongTimeout more than zero. Allow for the socket buffers of both sides, whose content the peer reads before
         * the ping, and over OIO for the time that your longest frame takes to send
         */
        public B ping(Duration interval, Duration pongTimeout) {
            this.pongTimeout = Durations.positive("pongTimeout", pongTimeout);
            this.pingInterval = Durations.limit("interval", interval);
            return self();
        }

        /** The timer for all these times. Default: Freshet's own. For thousands of connections, a timer of your own is better. */
        public B timer(Timer timer) {
            this.timer = timer;
            return self();
        }
    }
}
