package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.RequestTarget;

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

    /** Whether chunks follow a head: handlers say so by the flag or, as those of older Netty do, by the header alone. */
    static boolean announcesChunks(HttpMessage message) {
        return message.isChunked() || HttpHeaders.isTransferEncodingChunked(message);
    }

    /** Adds a response's fields. */
    static void add(FieldList fields, HttpResponse response) {
        fields.add(":status", textOf(response.getStatus().getCode()));
        addAll(fields, response.headers());
    }

    /** A 204 states no length (RFC 9110 8.6), and a 205 that it has none (15.3.6). */
    static void correctLength(HttpResponse response) {
        int code = response.getStatus().getCode();
        if (code == 204) {
            response.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
        } else if (code == 205) {
            HttpHeaders.setContentLength(response, 0);
        }
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
     * Adds a request's fields.
     *
     * @param scheme of the connection: https over TLS
     * @param isUpgrade whether it asks for WebSocket, which on a stream is a CONNECT of a protocol (RFC 8441)
     */
    static void add(FieldList fields, HttpRequest request, String scheme, boolean isUpgrade) {
        String method = request.getMethod().getName();
        String target = withoutFragment(HeaderSyntax.checkTarget(request.getUri()));
        fields.add(":method", isUpgrade ? "CONNECT" : method);
        if (isUpgrade) {
            fields.add(":protocol", ExtendedConnect.WEBSOCKET);
        }
        int authorityAt = RequestTarget.startOfAuthority(target);
        if (request.getMethod().equals(HttpMethod.CONNECT)) {
            fields.add(":authority", checkHost(target));
        } else if (authorityAt >= 0) {
            addAbsolute(fields, request.getMethod(), target, authorityAt);
        } else {
            String host = request.headers().get(HttpHeaders.Names.HOST);
            fields.add(":scheme", scheme);
            if (host != null) {
                fields.add(":authority", checkHost(host));
            }
            fields.add(":path", checkPath(request.getMethod(), target.isEmpty() ? "/" : target));
        }
        addAll(fields, request.headers());
    }

    private static void addAbsolute(FieldList fields, HttpMethod method, String target, int authorityAt) {
        int end = RequestTarget.endOfAuthority(target, authorityAt);
        String rest = target.substring(end);
        String asterisk = method.equals(HttpMethod.OPTIONS) ? "*" : "/";
        String scheme = target.substring(0, target.indexOf(':'));
        fields.add(":scheme", scheme.toLowerCase(Locale.ROOT));
        fields.add(":authority", checkHost(target.substring(authorityAt, end)));
        fields.add(":path", rest.isEmpty() ? asterisk : rest.startsWith("/") ? rest : '/' + rest);
    }

    /** It is the client's own (RFC 9110 7.1). */
    private static String withoutFragment(String target) {
        int at = target.indexOf('#');
        return at < 0 ? target : target.substring(0, at);
    }

    private static String checkHost(String host) {
        if (!RequestTarget.isHost(host)) {
            throw new IllegalArgumentException(
                    "no host with an optional port, and without a user: " + HeaderSyntax.printable(host));
        }
        return host;
    }

    private static String checkPath(HttpMethod method, String path) {
        if (!path.startsWith("/") && !(path.equals("*") && method.equals(HttpMethod.OPTIONS))) {
            throw new IllegalArgumentException(
                    "the request target is neither a path nor an absolute URI: " + HeaderSyntax.printable(path));
        }
        return path;
    }

    static FieldList of(HttpHeaders trailers) {
        FieldList fields = new FieldList();
        addAll(fields, trailers);
        return fields;
    }

    private static void addAll(FieldList fields, HttpHeaders headers) {
        List<String> hopByHop = namedByConnection(headers);
        for (Map.Entry<String, String> header : headers) {
            String name = lowerCase(header.getKey());
            if (name.equals("te")) {
                addTe(fields, header.getValue());
            } else if (name.equals("sec-websocket-key")) {
                continue; // a stream needs no proof that its request was understood
            } else if (!isOfConnection(name) && !hopByHop.contains(name)) {
                HeaderSyntax.checkName(name);
                addChecked(
                        fields,
                        headers,
                        name,
                        HeaderSyntax.checkValue(name, header.getValue()).strip());
            }
        }
    }

    private static void addChecked(FieldList fields, HttpHeaders headers, String name, String value) {
        if (headers.isSensitive(name)) {
            fields.addSensitive(name, value);
        } else {
            fields.add(name, value);
        }
    }

    /** All that a client may say is that it takes trailers (RFC 9113 8.2.2); gRPC asks for that. */
    private static void addTe(FieldList fields, String value) {
        if (value.strip().equalsIgnoreCase("trailers")) {
            fields.add("te", "trailers");
        }
    }

    /** Host has become {@code :authority}. */
    private static boolean isOfConnection(String name) {
        return switch (name) {
            case "connection",
                    "proxy-connection",
                    "keep-alive",
                    "transfer-encoding",
                    "upgrade",
                    "http2-settings",
                    "host" -> true;
            default -> false;
        };
    }

    private static List<String> namedByConnection(HttpHeaders headers) {
        if (!headers.contains(HttpHeaders.Names.CONNECTION)) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (String connection : headers.getAll(HttpHeaders.Names.CONNECTION)) {
            for (String name : connection.split(",")) {
                names.add(name.strip().toLowerCase(Locale.ROOT));
            }
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
