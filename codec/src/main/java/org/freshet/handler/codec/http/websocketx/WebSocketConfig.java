package org.freshet.handler.codec.http.websocketx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/** What servers and clients of WebSocket can be told alike. Immutable; any number of connections may use one. */
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

    /** In the order in which they are preferred. */
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

    /** Zero if no pings are sent. */
    public Duration pingInterval() {
        return pingInterval;
    }

    public Duration pongTimeout() {
        return pongTimeout;
    }

    /** Null for the JDK's. */
    public Timer timer() {
        return timer;
    }

    /** As Netty 3 writes lists; null if it is empty. */
    final String subprotocolList() {
        return subprotocols.isEmpty() ? null : String.join(",", subprotocols);
    }

    /**
     * Collects settings. Not thread-safe.
     *
     * @param <B> the builder's own type
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
         * Sub-protocols, best first. None by default. A server takes the first of these that the client offers, whatever the client's order
         * (RFC 6455, section 4.2.2, leaves it the choice), and goes on without one if the client offers none of these.
         */
        public B subprotocols(String... names) {
            Collections.addAll(subprotocols, names);
            return self();
        }

        /** Extensions, best first, instead of {@link PerMessageDeflate#defaults()}, the only one by default. */
        public B extensions(WebSocketExtensionNegotiator... negotiators) {
            extensions = List.of(negotiators);
            return self();
        }

        /** Limits of frames and messages; {@link HttpLimits#defaults()} by default. */
        public B limits(HttpLimits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return self();
        }

        /** How long the handshake may take, from the connection on; 10 seconds by default. {@link Duration#ZERO} means no limit. */
        public B handshakeTimeout(Duration timeout) {
            handshakeTimeout = Durations.limit("handshakeTimeout", timeout);
            return self();
        }

        /**
         * How long the peer may take to answer a close frame, and a client's peer to close the connection, before this side closes
         * it; 3 seconds by default. {@link Duration#ZERO} means no limit.
         */
        public B closeTimeout(Duration timeout) {
            closeTimeout = Durations.limit("closeTimeout", timeout);
            return self();
        }

        /**
         * Sends a ping each time this long after the last pong, and closes the connection with a {@link
         * org.freshet.handler.timeout.TimeoutException} if neither a pong nor anything else comes within the deadline. By default
         * none are sent.
         *
         * <p>The deadline begins when the ping has been sent: it waits until the channel is writable, and until then the peer only has to
         * take something of what waits for it. Time in which the channel is not read doesn't count, so a channel that never reads is never
         * closed; {@link org.freshet.channel.ChannelOption#WRITE_STALL_TIMEOUT_MILLIS} bounds that, too, while something waits for the peer.
         *
         * @param interval {@link Duration#ZERO} for no pings
         * @param pongTimeout more than zero. Allow for what the socket buffers of both sides hold, which the peer reads before the ping, and
         *     over OIO for the time that your longest frame takes to send
         */
        public B ping(Duration interval, Duration pongTimeout) {
            this.pongTimeout = Durations.positive("pongTimeout", pongTimeout);
            this.pingInterval = Durations.limit("interval", interval);
            return self();
        }

        /** What measures all these times. The JDK's by default; one of your own is better for thousands of connections. */
        public B timer(Timer timer) {
            this.timer = timer;
            return self();
        }
    }
}
