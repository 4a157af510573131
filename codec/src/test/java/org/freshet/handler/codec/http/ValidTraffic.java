package org.freshet.handler.codec.http;

import java.util.Random;

/** Generates valid connections, for readers that should agree on them. */
final class ValidTraffic {
    private final Random random;

    ValidTraffic(Random random) {
        this.random = random;
    }

    /** One to four requests. */
    String requests() {
        StringBuilder stream = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            String method = pick("GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND");
            stream.append(method)
                    .append(' ')
                    .append(pick("/", "/a?b=c", "http://h/x", "/%20"))
                    .append(" HTTP/1.1\r\n");
            stream.append("Host: h\r\n");
            appendRest(stream, false);
        }
        return stream.toString();
    }

    /** One to four responses, but none that lasts until the connection closes. */
    String responses() {
        StringBuilder stream = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            String status =
                    pick("200 OK", "404 Not Found", "204 No Content", "304 Not Modified", "100 Continue", "299 x");
            stream.append("HTTP/1.1 ").append(status).append("\r\n");
            boolean empty = status.startsWith("1") || status.contains("04 No C") || status.contains("304");
            if (empty) {
                stream.append("A: b\r\n\r\n");
            } else {
                appendRest(stream, true);
            }
        }
        return stream.toString();
    }

    private void appendRest(StringBuilder stream, boolean lengthNeeded) {
        for (int i = random.nextInt(4); i > 0; i--) {
            stream.append(pick("X-A: b", "Accept:c", "accept: \td e ", "Empty:", "User-Agent: x/1 (y; z)"))
                    .append("\r\n");
        }
        int length = pick(0, 1, 10, 63, 64, 65, 200);
        switch (random.nextInt(lengthNeeded ? 2 : 4)) {
            case 0:
                stream.append("Content-Length: ").append(length).append("\r\n");
                stream.append(pick("", "Expect: 100-continue\r\n")).append("\r\n");
                stream.append("x".repeat(length));
                break;
            case 1:
                stream.append("Transfer-Encoding: chunked\r\n\r\n");
                for (int i = random.nextInt(3); i > 0; i--) {
                    int size = pick(1, 10, 63, 64, 65, 200);
                    stream.append(Integer.toHexString(size))
                            .append(pick("", ";a=b"))
                            .append("\r\n");
                    stream.append("y".repeat(size)).append("\r\n");
                }
                stream.append("0\r\n").append(pick("", "Checksum: 1\r\n")).append("\r\n");
                break;
            default:
                stream.append("\r\n");
        }
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
