package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request, whichever version of HTTP it is sent with. Immutable.
 *
 * @param target a path, or an authority for CONNECT
 * @param headers names in lower case
 */
record PipelineAsk(String method, String target, Map<String, String> headers, byte[] content) {
    /** The protocol that a WebSocket handshake asks for is in this header, for HTTP/2 to find. */
    static final String UPGRADE = "upgrade";

    /** Whom the request is for, in the place of {@code localhost}: {@code Host} with HTTP/1.1. */
    static final String AUTHORITY = ":authority";

    static PipelineAsk of(String method, String target) {
        return new PipelineAsk(method, target, Map.of(), new byte[0]);
    }

    static PipelineAsk get(String path) {
        return of("GET", path);
    }

    PipelineAsk with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new PipelineAsk(method, target, more, content);
    }

    PipelineAsk withContent(byte[] bytes) {
        return new PipelineAsk(method, target, headers, bytes).with("content-length", Integer.toString(bytes.length));
    }

    String authority() {
        return headers.getOrDefault(AUTHORITY, "localhost");
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    boolean isConnect() {
        return method.equals("CONNECT");
    }

    /** Whether the client waits to be told before it sends the content. */
    boolean isExpecting() {
        return headers.containsKey("expect");
    }

    @Override
    public String toString() {
        return method + ' ' + target + ' ' + headers;
    }

    /**
     * What came back: the final head, its content, and whether there were interim answers before it. The content of an HTTP/1.1 answer is
     * as long as its framing says.
     */
    static final class Answer {
        int status;
        final List<Integer> interim = new java.util.ArrayList<>();
        final Map<String, List<String>> headers = new TreeMap<>();
        byte[] content = new byte[0];

        /** Null, or what ended an HTTP/2 stream before its answer was complete. */
        String cut;

        void add(String name, String value) {
            headers.computeIfAbsent(name, key -> new java.util.ArrayList<>()).add(value);
        }

        /** The only value; null if there is none. */
        String header(String name) {
            List<String> values = headers.get(name);
            if (values == null) {
                return null;
            }
            if (values.size() > 1) {
                throw new AssertionError(name + " more than once in " + this);
            }
            return values.get(0);
        }

        /** Whether the server said that no other answer follows on the connection. */
        boolean isLast() {
            return "close".equalsIgnoreCase(header("connection"));
        }

        @Override
        public String toString() {
            String text = content.length > 300 ? content.length + " bytes" : new String(content, ISO_8859_1);
            return status + " " + headers + " " + text + (cut == null ? "" : ", cut short by " + cut);
        }
    }
}
