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
import org.freshet.util.Timer;

/** The certificates of a server by the names that clients ask for. Immutable; any thread. */
final class TlsNames {
    private static final int MAX_CLIENT_HELLO_BYTES = 64 * 1024;
    private static final Duration CLIENT_HELLO_TIMEOUT = Duration.ofSeconds(10);

    private final SslContext other;

    /** By name in lower case; a name that begins with {@code *.} is for all that have one label in its place. */
    private final Map<String, SslContext> byName = new HashMap<>();

    /** @throws IllegalArgumentException if a context is a client's, or a name cannot be one */
    TlsNames(SslContext other, Map<String, SslContext> byName) {
        this.other = requireServer(other);
        byName.forEach((name, context) -> this.byName.put(checkName(name), requireServer(context)));
    }

    private static SslContext requireServer(SslContext context) {
        if (context.isClient()) {
            throw new IllegalArgumentException("a client's context: " + context);
        }
        return context;
    }

    private static String checkName(String name) {
        String host = name.startsWith("*.") ? name.substring(2) : name;
        boolean isAscii = host.chars().allMatch(c -> c < 0x80);
        if (!isAscii || host.indexOf(':') >= 0 || host.indexOf('*') >= 0 || !RequestTarget.isHost(host)) {
            throw new IllegalArgumentException("not a host name: " + name);
        }
        return name.toLowerCase(Locale.ROOT);
    }

    Stream<SslContext> contexts() {
        return Stream.concat(Stream.of(other), byName.values().stream());
    }

    ChannelHandler newHandler(Timer timer) {
        return byName.isEmpty()
                ? other.newHandler()
                : new SniHandler(this::contextOf, MAX_CLIENT_HELLO_BYTES, timer, CLIENT_HELLO_TIMEOUT);
    }

    /** @param name in lower case; null if the client names none */
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
}
