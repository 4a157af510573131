package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.internal.CoderPool;

/**
 * Compresses messages with the permessage-deflate extension (RFC 7692), for servers and clients. Immutable; one instance serves
 * any number of connections.
 *
 * <pre>{@code
 * PerMessageDeflate deflate = PerMessageDeflate.builder().level(3).threshold(1024).build();
 * }</pre>
 *
 * <p>By default each message is compressed on its own, and neither side keeps a context of earlier messages. Native memory is
 * then held only while a message is processed, and idle connections hold none. With context takeover, small messages that
 * resemble each other shrink much further, but each connection holds up to 300 KiB of native memory until it ends.
 *
 * <p>A message is sent uncompressed if it is shorter than {@link Builder#threshold}, if compressing would not shorten it, or if
 * {@link WebSocketFrame#setCompressible} is false. The last of these is decided by the first frame of a message. A message
 * written in fragments is otherwise compressed whatever its length. With context takeover, so is any message that reaches the
 * threshold.
 *
 * <p>A received message is limited to {@link HttpLimits#maxWebSocketMessageSize()} after inflation. Inflating stops shortly
 * after that limit.
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

    /** The same as {@code builder().build()}. */
    public static PerMessageDeflate defaults() {
        return STANDARD;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * The number of deflaters and inflaters in this JVM that hold native memory, for WebSocket and other codecs: the ones in
     * use, and a few spare ones.
     */
    public static int activeCoders() {
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

    /** {@link DeflateParameters#ABSENT} if there is nothing to negotiate. */
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
        // Without a value, it lets the server limit the client's window.
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
            throw new WebSocketHandshakeException("the server accepted an extension that was not offered: " + answer);
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

    /** Configures a {@link PerMessageDeflate}. Not thread-safe. */
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

        /** @param level 1 (fastest) to 9 (smallest). Default: 6 */
        public Builder level(int level) {
            this.level = checked("level", level, 1, 9);
            return this;
        }

        /** @param bytes messages of at least this many bytes are compressed; 0 or more. Default: 256 */
        public Builder threshold(int bytes) {
            threshold = checked("bytes", bytes, 0, Integer.MAX_VALUE);
            return this;
        }

        /**
         * Whether messages from a server may refer to earlier ones. With {@code true}, a server still does without context
         * takeover if the client demands it; with {@code false}, a client demands it. Default: false
         */
        public Builder serverContextTakeover(boolean allowed) {
            serverContextTakeover = allowed;
            return this;
        }

        /** Whether messages from a client may refer to earlier ones; {@code false} on either side forbids it. Default: false */
        public Builder clientContextTakeover(boolean allowed) {
            clientContextTakeover = allowed;
            return this;
        }

        /**
         * The window of messages sent by a server: how far back they may refer, 2<sup>bits</sup> bytes. A client demands it of
         * the server. A smaller window saves memory on clients that can take advantage of it, and compresses less.
         *
         * @param bits 8 to 15. Default: 15
         */
        public Builder serverMaxWindowBits(int bits) {
            serverMaxWindowBits = checked("bits", bits, DeflateParameters.MIN_BITS, DeflateParameters.MAX_BITS);
            return this;
        }

        /**
         * The window of messages sent by a client: how far back they may refer, 2<sup>bits</sup> bytes. A server demands it of
         * clients that allow this.
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
