package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request, independent of the HTTP version it is sent with. Immutable.
 *
 * @param target a path, or an authority for CONNECT
 * @param headers names in lower case
 */
record PipelineAsk(String method, String target, Map<String, String> headers, byte[] content) {
    /** This header contains the protocol of a WebSocket handshake, for use by HTTP/2. */
    static final String UPGRADE = "upgrade";

    /** The requested host, in place of {@code localhost}: {@code Host} in HTTP/1.1. */
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

    /** Whether the client waits for 100 Continue before it sends the content. */
    boolean isExpecting() {
        return headers.containsKey("expect");
    }

    @Override
    public String toString() {
        return method + ' ' + target + ' ' + headers;
    }

    /**
     * The answer: the final head, its content, and whether there were interim answers before it. The length of an
     * HTTP/1.1 answer's content follows from its framing.
     */
    static final class Answer {
        int status;
        final List<Integer> interim = new java.util.ArrayList<>();
        final Map<String, List<String>> headers = new TreeMap<>();
        byte[] content = new byte[0];

        /** Null, or the reason that ended an HTTP/2 stream before its answer was complete. */
        String cut;

        void add(String name, String value) {
            headers.computeIfAbsent(name, key -> new java.util.ArrayList<>()).add(value);
        }

        /** The only value, or null if the answer has no such header. */
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

        /** Whether the server announced that no other answer follows on the connection. */
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
