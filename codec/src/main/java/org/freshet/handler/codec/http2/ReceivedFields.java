package org.freshet.handler.codec.http2;

import java.util.List;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.RequestTarget;

/**
 * Builds messages from received fields, and rejects malformed ones (RFC 9113 8.2 and 8.3). Fields for HTTP/1.1 connections are
 * rejected; {@code :authority} becomes {@code Host}.
 *
 * <p>One instance per connection, one block at a time. Belongs to its connection's thread.
 */
final class ReceivedFields {
    /** Reports a message that must be answered with a stream error PROTOCOL_ERROR. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message, null, false, false);
        }
    }

    /** @param contentLength -1 for none */
    record Response(HttpResponse message, long contentLength) {}

    private final FieldSyntax syntax = new FieldSyntax();
    private final RequestHead head = new RequestHead();

    /** Names and values, alternating; valid while a block's message is being built. */
    private List<String> fields;

    /** Index of the first field that isn't a pseudo-header. */
    private int regular;

    private String method;
    private String scheme;
    private String authority;
    private String path;
    private String status;
    private String protocol;
    private boolean hasHost;

    /** -1 for none. */
    private long contentLength = -1;

    private String priority;

    private void begin(List<String> block) {
        fields = block;
        regular = 0;
        method = null;
        scheme = null;
        authority = null;
        path = null;
        status = null;
        protocol = null;
        hasHost = false;
        contentLength = -1;
        priority = null;
    }

    /**
     * Returns the request, which is valid until the next call.
     *
     * @param acceptsProtocols whether a request may have {@code :protocol} (RFC 8441); such a request becomes a GET
     */
    RequestHead toRequest(FieldCollector block, boolean acceptsProtocols) throws MalformedException {
        begin(block.fields());
        readPseudoHeaders();
        require(status == null, "a request has :status");
        require(method != null, "a request has no :method");
        boolean isConnect = method.equals("CONNECT");
        if (protocol != null) {
            require(
                    acceptsProtocols && isConnect,
                    "a request has :protocol, but that was not offered or it is not a CONNECT");
            isConnect = false;
            method = "GET";
        }
        if (isConnect) {
            require(
                    authority != null && scheme == null && path == null,
                    "a CONNECT must have :authority, and neither :scheme nor :path");
            require(
                    RequestTarget.problem(method, authority) == null,
                    "the :authority of a CONNECT is not a host with a port");
        } else {
            require(scheme != null && path != null, "a request has no :scheme or no :path");
            require(RequestTarget.isScheme(scheme), "a request's :scheme is invalid");
            require(isPath(), "a request's :path is not a path");
        }
        HttpRequest request = newRequest(isConnect ? authority : path);
        addRegular(request.headers(), true);
        require(request.headers().contains(HttpHeaders.Names.HOST), "a request has neither :authority nor host");
        block.markSensitive(request.headers());
        head.set(request, contentLength, scheme, protocol, priority);
        return head;
    }

    /** The request itself checks the characters. */
    private boolean isPath() {
        return path.startsWith("/") || path.equals("*") && method.equals("OPTIONS");
    }

    private HttpRequest newRequest(String target) throws MalformedException {
        try {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target);
            if (authority != null) {
                require(RequestTarget.isHost(authority), "a request's :authority is not a host");
                request.headers().set(HttpHeaders.Names.HOST, authority);
            }
            return request;
        } catch (IllegalArgumentException e) {
            throw new MalformedException(e.getMessage());
        }
    }

    Response toResponse(FieldCollector block) throws MalformedException {
        begin(block.fields());
        readPseudoHeaders();
        require(
                method == null && scheme == null && authority == null && path == null && protocol == null,
                "a response has pseudo-headers of a request");
        require(status != null && status.length() == 3, "a response has no :status of three digits");
        int code = 0;
        for (int i = 0; i < 3; i++) {
            int digit = status.charAt(i) - '0';
            require(digit >= 0 && digit <= 9, "a response's :status is not a number");
            code = code * 10 + digit;
        }
        require(code >= 100 && code != 101, "a response's :status is not allowed in HTTP/2");
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
        addRegular(response.headers(), false);
        block.markSensitive(response.headers());
        return new Response(response, contentLength);
    }

    /** Adds the fields of a trailer section. */
    void toTrailers(FieldCollector block, HttpHeaders trailers) throws MalformedException {
        begin(block.fields());
        addRegular(trailers, false); // a pseudo-header has a colon, which no name may have
        block.markSensitive(trailers);
    }

    private static boolean isPseudo(String name) {
        return !name.isEmpty() && name.charAt(0) == ':';
    }

    private void readPseudoHeaders() throws MalformedException {
        while (regular < fields.size() && isPseudo(fields.get(regular))) {
            String value = fields.get(regular + 1);
            switch (fields.get(regular)) {
                case ":method" -> method = once(method, value);
                case ":scheme" -> scheme = once(scheme, value);
                case ":authority" -> authority = once(authority, value);
                case ":path" -> path = once(path, value);
                case ":status" -> status = once(status, value);
                case ":protocol" -> protocol = once(protocol, value);
                default -> throw new MalformedException("unknown pseudo-header");
            }
            regular += 2;
        }
    }

    private static String once(String before, String value) throws MalformedException {
        require(before == null, "a pseudo-header is repeated");
        return value;
    }

    private void addRegular(HttpHeaders headers, boolean isRequest) throws MalformedException {
        String cookie = null;
        StringBuilder cookies = null;
        for (int i = regular; i < fields.size(); i += 2) {
            String name = fields.get(i);
            String value = fields.get(i + 1);
            syntax.check(i, name, value);
            switch (name) {
                case "cookie" -> {
                    if (cookie == null) {
                        cookie = value;
                    } else {
                        cookies = cookies == null ? new StringBuilder(cookie) : cookies;
                        cookies.append("; ").append(value);
                    }
                }
                case "host" -> addHost(headers, value, isRequest);
                case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade" ->
                    throw new MalformedException("the field " + name + " is for HTTP/1.1 connections only");
                case "te" -> {
                    require(value.equals("trailers"), "the field te is not \"trailers\"");
                    headers.add(name, value);
                }
                default -> {
                    note(name, value);
                    headers.add(name, value);
                }
            }
        }
        if (cookie != null) {
            headers.add(HttpHeaders.Names.COOKIE, cookies == null ? cookie : cookies.toString());
        }
    }

    private void addHost(HttpHeaders headers, String value, boolean isRequest) throws MalformedException {
        if (isRequest) {
            require(!hasHost, "more than one host");
            require(RequestTarget.isHost(value), "a request's host is invalid");
            require(authority == null || authority.equalsIgnoreCase(value), "host differs from :authority");
            hasHost = true;
        }
        if (authority == null) {
            headers.add(HttpHeaders.Names.HOST, value);
        }
    }

    private void note(String name, String value) throws MalformedException {
        if (name.equals("content-length")) {
            long length = FieldSyntax.contentLength(value);
            require(length >= 0, "content-length is not a number");
            require(contentLength < 0, "more than one content-length");
            contentLength = length;
        } else if (name.equals("priority")) {
            priority = value;
        }
    }

    private static void require(boolean condition, String otherwise) throws MalformedException {
        if (!condition) {
            throw new MalformedException(otherwise);
        }
    }
}
