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
 * Builds the fields of messages that handlers write: names in lower case, without fields for HTTP/1.1 connections. Everything
 * is checked here, because a block that was begun must be sent.
 *
 * <p>Stateless; any thread.
 */
final class SentFields {
    private static final int MAX_STATUS = 999;

    /** Indexed by code, created on first use. Threads may race to create equal strings. */
    private static final String[] STATUSES = new String[MAX_STATUS + 1];

    private SentFields() {}

    /** Whether chunks follow a head: the flag says so or, from handlers written for older Netty versions, only the header. */
    static boolean announcesChunks(HttpMessage message) {
        return message.isChunked() || HttpHeaders.isTransferEncodingChunked(message);
    }

    /** The value of Content-Length in bytes; -1 if the message declares none. */
    static long lengthOf(HttpMessage message) {
        String value = message.headers().get(HttpHeaders.Names.CONTENT_LENGTH);
        return value == null ? -1 : FieldSyntax.contentLength(value.strip());
    }

    /** Adds a response's fields. */
    static void add(FieldList fields, HttpResponse response) {
        fields.add(":status", textOf(response.getStatus().getCode()));
        addAll(fields, response.headers());
    }

    /** A 204 must not have a length (RFC 9110 8.6), and a 205 must have the length 0 (15.3.6). */
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
     * @param scheme the connection's scheme: https over TLS
     * @param isUpgrade whether it asks for WebSocket, which is an extended CONNECT on a stream (RFC 8441)
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

    /** The fragment is for the client only (RFC 9110 7.1). */
    private static String withoutFragment(String target) {
        int at = target.indexOf('#');
        return at < 0 ? target : target.substring(0, at);
    }

    private static String checkHost(String host) {
        if (!RequestTarget.isHost(host)) {
            throw new IllegalArgumentException(
                    "not a host with an optional port and without user info: " + HeaderSyntax.printable(host));
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
        long length = -1;
        for (Map.Entry<String, String> header : headers) {
            String name = lowerCase(header.getKey());
            if (name.equals("te")) {
                addTe(fields, header.getValue());
            } else if (name.equals("sec-websocket-key")) {
                continue; // HTTP/2 needs no proof that the server understood the request
            } else if (name.equals("content-length")) {
                length = addLength(fields, length, header.getValue().strip());
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

    /** @param before the length that was added, or -1: a peer refuses a second one even if it is the same */
    private static long addLength(FieldList fields, long before, String value) {
        long length = FieldSyntax.contentLength(value);
        if (length < 0 || before >= 0 && length != before) {
            throw new IllegalArgumentException(
                    length < 0
                            ? "Content-Length is not a number of bytes: '" + HeaderSyntax.printable(value) + "'"
                            : "the Content-Length headers contradict each other: " + before + ", " + length);
        }
        if (before < 0) {
            fields.add("content-length", value);
        }
        return length;
    }

    /** The only value allowed is that a client accepts trailers (RFC 9113 8.2.2); gRPC asks for that. */
    private static void addTe(FieldList fields, String value) {
        if (value.strip().equalsIgnoreCase("trailers")) {
            fields.add("te", "trailers");
        }
    }

    /** Includes host, which has become {@code :authority}. */
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
