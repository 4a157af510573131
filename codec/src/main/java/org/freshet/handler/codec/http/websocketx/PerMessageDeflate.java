package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.internal.CoderPool;

/**
 * Compresses messages: the extension permessage-deflate (RFC 7692), for servers and clients. Immutable; one object serves any
 * number of connections.
 *
 * <pre>{@code
 * PerMessageDeflate deflate = PerMessageDeflate.builder().level(3).threshold(1024).build();
 * }</pre>
 *
 * <p>By default each message is compressed for itself: neither side keeps what it would need to refer to earlier messages.
 * So native memory is taken while a message is worked on, by as many threads as do that at once, and a connection holds
 * none. With context takeover small messages that resemble each other become much smaller, and each connection holds up to
 * 300 KiB of native memory until it ends.
 *
 * <p>A message is sent as it is if it is shorter than {@link Builder#threshold}, or would not become shorter, or {@link
 * WebSocketFrame#setCompressible} says so. The last of these decides with the first frame of a message; one that is written
 * in fragments is otherwise compressed whatever its length, and so is any message that is long enough with context takeover.
 *
 * <p>A received message is limited to {@link HttpLimits#maxWebSocketMessageSize()}, inflated; little more than that is ever
 * inflated.
 */
public final class PerMessageDeflate implements WebSocketExtensionNegotiator {
    private static final String NAME = "permessage-deflate";

    private static final PerMessageDeflate STANDARD = builder().build();

    private final int level;
    private final int threshold;
    private final boolean serverContextTakeover;
    private final boolean clientContextTakeover;
    private final int serverMaxWindowBits;
    private final int clientMaxWindowBits;

    private PerMessageDeflate(Builder builder) {
        level = builder.level;
        threshold = builder.threshold;
        serverContextTakeover = builder.serverContextTakeover;
        clientContextTakeover = builder.clientContextTakeover;
        serverMaxWindowBits = builder.serverMaxWindowBits;
        clientMaxWindowBits = builder.clientMaxWindowBits;
    }

    /** As a {@link #builder} makes it from which nothing was asked. */
    public static PerMessageDeflate defaults() {
        return STANDARD;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * How many deflaters and inflaters hold native memory in this JVM, for WebSocket or other codecs: those in use, and a few
     * that wait for use.
     */
    public static int liveCoders() {
        return CoderPool.live();
    }

    @Override
    public String name() {
        return NAME;
    }

    // ---- server ----

    @Override
    public Accepted accept(WebSocketExtensionSpec offer, HttpLimits limits) {
        DeflateParameters offered = DeflateParameters.parse(offer, false);
        if (offered == null) {
            return null;
        }
        DeflateParameters agreed = new DeflateParameters(
                offered.serverNoContextTakeover() || !serverContextTakeover,
                offered.clientNoContextTakeover() || !clientContextTakeover,
                agreedBits(offered.serverMaxWindowBits(), serverMaxWindowBits),
                offered.clientMaxWindowBits() == DeflateParameters.ABSENT
                        ? DeflateParameters.ABSENT
                        : agreedBits(offered.clientMaxWindowBits(), clientMaxWindowBits));
        WebSocketExtension extension = new DeflateExtension(
                new DeflateExtension.Form(level, windowBits(agreed.serverMaxWindowBits()), threshold),
                !agreed.serverNoContextTakeover(),
                !agreed.clientNoContextTakeover(),
                limits.maxWebSocketMessageSize());
        return new Accepted(agreed.toSpec(NAME), extension);
    }

    /** Absent if there is nothing to say. */
    private static int agreedBits(int offered, int configured) {
        int bits = Math.min(windowBits(offered), configured);
        return offered == DeflateParameters.ABSENT && bits == DeflateParameters.MAX_BITS
                ? DeflateParameters.ABSENT
                : bits;
    }

    private static int windowBits(int parameter) {
        return parameter == DeflateParameters.ABSENT ? DeflateParameters.MAX_BITS : parameter;
    }

    // ---- client ----

    @Override
    public List<WebSocketExtensionSpec> offers() {
        WebSocketExtensionSpec offer = new DeflateParameters(
                        !serverContextTakeover,
                        !clientContextTakeover,
                        serverMaxWindowBits == DeflateParameters.MAX_BITS
                                ? DeflateParameters.ABSENT
                                : serverMaxWindowBits,
                        clientMaxWindowBits == DeflateParameters.MAX_BITS
                                ? DeflateParameters.ABSENT
                                : clientMaxWindowBits)
                .toSpec(NAME);
        // Without a value, it says that the server may limit the client's window.
        return List.of(
                clientMaxWindowBits == DeflateParameters.MAX_BITS
                        ? offer.with(DeflateParameters.CLIENT_MAX_WINDOW_BITS, null)
                        : offer);
    }

    @Override
    public WebSocketExtension agree(WebSocketExtensionSpec answer, HttpLimits limits) {
        DeflateParameters agreed = DeflateParameters.parse(answer, true);
        if (agreed == null
                || agreed.serverMaxWindowBits() > serverMaxWindowBits
                || agreed.clientMaxWindowBits() > clientMaxWindowBits) {
            throw new WebSocketHandshakeException("the server answers what was not offered: " + answer);
        }
        int ownBits = Math.min(windowBits(agreed.clientMaxWindowBits()), clientMaxWindowBits);
        return new DeflateExtension(
                new DeflateExtension.Form(level, ownBits, threshold),
                clientContextTakeover && !agreed.clientNoContextTakeover(),
                !agreed.serverNoContextTakeover(),
                limits.maxWebSocketMessageSize());
    }

    @Override
    public String toString() {
        return "PerMessageDeflate(level: " + level + ", threshold: " + threshold + ", offers: " + offers() + ')';
    }

    /** Collects what a {@link PerMessageDeflate} is to do. Not thread-safe. */
    public static final class Builder {
        private int level = 6;
        private int threshold = 256;
        private boolean serverContextTakeover;
        private boolean clientContextTakeover;
        private int serverMaxWindowBits = DeflateParameters.MAX_BITS;
        private int clientMaxWindowBits = DeflateParameters.MAX_BITS;

        private Builder() {}

        public PerMessageDeflate build() {
            return new PerMessageDeflate(this);
        }

        /** @param level 1 is fastest, 9 is smallest. Default: 6 */
        public Builder level(int level) {
            this.level = checked("level", level, 1, 9);
            return this;
        }

        /** @param bytes of a message from which it is compressed, 0 or more. Default: 256 */
        public Builder threshold(int bytes) {
            threshold = checked("bytes", bytes, 0, Integer.MAX_VALUE);
            return this;
        }

        /**
         * Whether what a server sends may refer to earlier messages. A server with {@code true} still does without where the
         * client demands it; a client with {@code false} demands it. Default: false
         */
        public Builder serverContextTakeover(boolean allowed) {
            serverContextTakeover = allowed;
            return this;
        }

        /** Whether what a client sends may refer to earlier messages; {@code false} on either side forbids it. Default: false */
        public Builder clientContextTakeover(boolean allowed) {
            clientContextTakeover = allowed;
            return this;
        }

        /**
         * How far back what a server sends may refer: 2<sup>bits</sup> bytes. A client demands it of the server. Less saves
         * memory on a client that can make use of it, and costs compression.
         *
         * @param bits 8 to 15. Default: 15
         */
        public Builder serverMaxWindowBits(int bits) {
            serverMaxWindowBits = checked("bits", bits, DeflateParameters.MIN_BITS, DeflateParameters.MAX_BITS);
            return this;
        }

        /**
         * How far back what a client sends may refer: 2<sup>bits</sup> bytes. A server demands it of clients that can be asked.
         *
         * @param bits 8 to 15. Default: 15
         */
        public Builder clientMaxWindowBits(int bits) {
            clientMaxWindowBits = checked("bits", bits, DeflateParameters.MIN_BITS, DeflateParameters.MAX_BITS);
            return this;
        }

        private static int checked(String name, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(name + " not in " + least + ".." + most + ": " + value);
            }
            return value;
        }
    }
}
