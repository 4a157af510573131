package org.freshet.handler.codec.http.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.internal.RequestTarget;
import org.freshet.handler.ssl.SniHandler;
import org.freshet.handler.ssl.SslContext;
import org.freshet.util.NetUtil;
import org.freshet.util.Timer;

/** A server's certificates by the names that clients request. Immutable; any thread may use it. */
final class TlsNames {
    /** The name that the client of one connection has requested. Belongs to the I/O thread of the connection. */
    final class Choice {
        /** In lower case; null if the client requests no name, or has not sent its hello yet. */
        private String name;

        private SslContext context = other;

        SslContext choose(String name) {
            this.name = name;
            context = contextOf(name);
            return context;
        }

        /**
         * Whether the host leads to the context that the client has chosen.
         *
         * @param authority a host with or without a port, as in a request; null or empty is treated like a client that
         *     requests no name
         */
        boolean serves(String authority) {
            return contextOf(nameOf(authority)) == context;
        }

        @Override
        public String toString() {
            return name == null ? "no name" : name;
        }
    }

    private static final int MAX_CLIENT_HELLO_BYTES = 64 * 1024;
    private static final Duration CLIENT_HELLO_TIMEOUT = Duration.ofSeconds(10);

    private final SslContext other;

    /**
     * By name in lower case. A name that begins with {@code *.} matches all names with one label instead of the star.
     */
    private final Map<String, SslContext> byName = new HashMap<>();

    /** @throws IllegalArgumentException if a context is for clients, or a name is not valid */
    TlsNames(SslContext other, Map<String, SslContext> byName) {
        this.other = requireServer(other);
        byName.forEach((name, context) -> this.byName.put(checkName(name), requireServer(context)));
    }

    private static SslContext requireServer(SslContext context) {
        if (context.isClient()) {
            throw new IllegalArgumentException("not a server's TLS context, but a client's: " + context);
        }
        return context;
    }

    private static String checkName(String name) {
        String host = name.startsWith("*.") ? name.substring(2) : name;
        boolean isAscii = host.chars().allMatch(c -> c < 0x80);
        if (!isAscii || host.indexOf(':') >= 0 || host.indexOf('*') >= 0 || !RequestTarget.isHost(host)) {
            throw new IllegalArgumentException("not a host name: " + name);
        }
        if (NetUtil.isValidIpV4Address(host)) {
            throw new IllegalArgumentException("clients never request an IP address (RFC 6066 3): " + name);
        }
        return name.toLowerCase(Locale.ROOT);
    }

    Stream<SslContext> contexts() {
        return Stream.concat(Stream.of(other), byName.values().stream());
    }

    /** Holds the choice of a new connection's client; null if there is nothing to choose from. */
    Choice newChoice() {
        return byName.isEmpty() ? null : new Choice();
    }

    /** @param choice that of the same connection */
    ChannelHandler newHandler(Timer timer, Choice choice) {
        return choice == null
                ? other.newHandler()
                : new SniHandler(choice::choose, MAX_CLIENT_HELLO_BYTES, timer, CLIENT_HELLO_TIMEOUT);
    }

    /** @param name in lower case; null if the client requests none */
    SslContext contextOf(String name) {
        if (name == null) {
            return other;
        }
        SslContext exact = byName.get(name);
        int dot = name.indexOf('.');
        return exact != null || dot < 0
                ? Objects.requireNonNullElse(exact, other)
                : byName.getOrDefault('*' + name.substring(dot), other);
    }

    /**
     * The name in a request's authority, as a client would request it; null for none. The port doesn't matter to a
     * certificate.
     */
    private static String nameOf(String authority) {
        if (authority == null || authority.startsWith("[")) {
            return null;
        }
        int colon = authority.indexOf(':');
        int end = colon < 0 ? authority.length() : colon;
        boolean isRooted = end > 0 && authority.charAt(end - 1) == '.';
        return authority.substring(0, isRooted ? end - 1 : end).toLowerCase(Locale.ROOT);
    }
}
