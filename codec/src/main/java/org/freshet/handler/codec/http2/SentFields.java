package org.freshet.handler.codec.http2;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Makes fields of the messages that handlers write: names in lower case, without those that are about a connection of
 * HTTP/1.1. Everything is checked here, since a block that is begun has to be sent.
 *
 * <p>Stateless; any thread.
 */
final class SentFields {
    private static final int MAX_STATUS = 999;

    /** By code, made when they are used first; threads may each make one, which are equal. */
    private static final String[] STATUSES = new String[MAX_STATUS + 1];

    private SentFields() {}

    /** Adds names and values, alternating. */
    static void add(List<String> fields, HttpResponse response) {
        add(fields, ":status", textOf(response.getStatus().getCode()));
        addAll(fields, response.headers());
    }

    private static String textOf(int code) {
        if (code < 100 || code > MAX_STATUS) {
            throw new IllegalArgumentException("status not in 100.." + MAX_STATUS + ": " + code);
        }
        String text = STATUSES[code];
        if (text == null) {
            text = Integer.toString(code);
            STATUSES[code] = text;
        }
        return text;
    }

    /**
     * Adds names and values, alternating.
     *
     * @param scheme of the connection: https over TLS
     */
    static void add(List<String> fields, HttpRequest request, String scheme) {
        String method = request.getMethod().getName();
        String target = HeaderSyntax.checkTarget(request.getUri());
        String host = request.headers().get(HttpHeaders.Names.HOST);
        add(fields, ":method", method);
        if (request.getMethod().equals(HttpMethod.CONNECT)) {
            add(fields, ":authority", target);
        } else {
            boolean isAbsolute = target.contains("://") && !target.startsWith("/");
            URI uri = isAbsolute ? absolute(target) : null;
            add(fields, ":scheme", isAbsolute ? uri.getScheme() : scheme);
            String authority = isAbsolute ? uri.getRawAuthority() : host;
            if (authority != null) {
                add(fields, ":authority", HeaderSyntax.checkValue(HttpHeaders.Names.HOST, authority));
            }
            add(fields, ":path", isAbsolute ? pathOf(uri) : target.isEmpty() ? "/" : target);
        }
        addAll(fields, request.headers());
    }

    private static URI absolute(String target) {
        try {
            return new URI(target);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the request target is no URI: " + target, e);
        }
    }

    private static String pathOf(URI uri) {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + '?' + uri.getRawQuery();
    }

    static List<String> of(HttpHeaders trailers) {
        List<String> fields = new ArrayList<>();
        addAll(fields, trailers);
        return fields;
    }

    private static void add(List<String> fields, String name, String value) {
        fields.add(name);
        fields.add(value);
    }

    private static void addAll(List<String> fields, HttpHeaders headers) {
        List<String> hopByHop = namedByConnection(headers);
        for (Map.Entry<String, String> header : headers) {
            String name = lowerCase(header.getKey());
            if (!isOfConnection(name) && !hopByHop.contains(name)) {
                HeaderSyntax.checkName(name);
                add(
                        fields,
                        name,
                        HeaderSyntax.checkValue(name, header.getValue()).strip());
            }
        }
    }

    /** Host has become {@code :authority}, and te is allowed with one value alone, which few need. */
    private static boolean isOfConnection(String name) {
        return switch (name) {
            case "connection",
                    "proxy-connection",
                    "keep-alive",
                    "transfer-encoding",
                    "upgrade",
                    "http2-settings",
                    "host",
                    "te" -> true;
            default -> false;
        };
    }

    private static List<String> namedByConnection(HttpHeaders headers) {
        String connection = headers.get(HttpHeaders.Names.CONNECTION);
        if (connection == null) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (String name : connection.split(",")) {
            names.add(name.strip().toLowerCase(Locale.ROOT));
        }
        return names;
    }

    private static String lowerCase(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return LowerCaseNames.of(name);
            }
        }
        return name;
    }
}
