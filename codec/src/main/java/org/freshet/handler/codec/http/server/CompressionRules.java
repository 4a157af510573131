package org.freshet.handler.codec.http.server;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Selects the responses that are worth compressing, by type, and by size if it is known. A response with
 * {@code Cache-Control: no-transform} is never compressed.
 *
 * <p>Immutable; any thread may use it.
 */
public final class CompressionRules {
    private static final Set<String> APPLICATION_TEXTS = Set.of(
            "application/json",
            "application/javascript",
            "application/xml",
            "application/wasm",
            "application/rtf",
            "application/vnd.ms-fontobject",
            "font/ttf",
            "font/otf",
            "image/bmp",
            "image/x-icon");

    private static final CompressionRules STANDARD = new CompressionRules(1024, CompressionRules::isText);

    private final long minBytes;
    private final Predicate<String> types;

    private CompressionRules(long minBytes, Predicate<String> types) {
        this.minBytes = minBytes;
        this.types = types;
    }

    /**
     * Selects text of 1024 bytes or more, or of unknown length: {@code text/*}, JSON and XML including derived types
     * ({@code image/svg+xml}), scripts, WebAssembly, and uncompressed fonts and images. {@code text/event-stream} is
     * excluded, since its events would wait in the compressor.
     */
    public static CompressionRules defaults() {
        return STANDARD;
    }

    /** @param minBytes minimum bytes of content, if its length is known; 0 or more */
    public CompressionRules withMinBytes(long minBytes) {
        if (minBytes < 0) {
            throw new IllegalArgumentException("minBytes < 0: " + minBytes);
        }
        return new CompressionRules(minBytes, types);
    }

    /** @param types tests a type in lower case, without parameters; must not block or throw */
    public CompressionRules withTypes(Predicate<String> types) {
        return new CompressionRules(minBytes, Objects.requireNonNull(types, "types"));
    }

    /** Compresses only these types, for example {@code text/html}. */
    public CompressionRules withTypes(String... types) {
        Set<String> names = Set.copyOf(List.of(types).stream()
                .map(type -> type.toLowerCase(Locale.ROOT))
                .toList());
        return withTypes(names::contains);
    }

    boolean apply(HttpMessage response) {
        HttpHeaders headers = response.headers();
        String type = headers.get(Names.CONTENT_TYPE);
        return type != null
                && types.test(withoutParameters(type))
                && !isSmall(response)
                && !HeaderSyntax.hasToken(headers.getAll(Names.CACHE_CONTROL), HttpHeaders.Values.NO_TRANSFORM);
    }

    private static String withoutParameters(String type) {
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).trim().toLowerCase(Locale.ROOT);
    }

    private boolean isSmall(HttpMessage response) {
        if (response.getContent().readable()) {
            return response.getContent().readableBytes() < minBytes;
        }
        return HttpHeaders.getContentLength(response, Long.MAX_VALUE) < minBytes;
    }

    private static boolean isText(String type) {
        return type.startsWith("text/") && !type.equals("text/event-stream")
                || type.endsWith("+json")
                || type.endsWith("+xml")
                || APPLICATION_TEXTS.contains(type);
    }
}
