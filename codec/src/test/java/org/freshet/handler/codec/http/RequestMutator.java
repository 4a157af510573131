package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Random;

/** Creates almost valid connections: a valid one, changed in a few places where readers are known to disagree. */
final class RequestMutator {
    private static final int MAX_CHANGES = 4;

    static final List<String> CONNECTIONS = List.of(
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /a?b=c%20d&e=f HTTP/1.1\r\nHost: a:80\r\nUser-Agent: x/1 (y; z)\r\nAccept: */*\r\nCookie: a=b; c=\"d\"\r\n\r\n",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "GET http://a/b HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, x\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
            "HEAD /h HTTP/1.1\r\nHost: a\r\nX: \u00e9\u00ff\r\nY:\r\n\r\n",
            "DELETE /d HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 37\r\n\r\nGET /inside HTTP/1.1\r\nHost: inside\r\n\r\n",
            "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5;a=b\r\nhello\r\n1;c=\"d e\";f\r\n!\r\n0\r\nX-Sum: 6\r\n\r\n",
            "PUT /c HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\nHost: a\r\n\r\nA\r\n0123456789\r\n00\r\n\r\n",
            "POST /e HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
            "GET /u HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            "GET /l HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "\r\nGET /n HTTP/1.1\r\nHost: a\r\n\r\n");

    static final List<String> HEADERS = List.of(
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: identity\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Transfer-Encoding : chunked\r\n",
            "Transfer-Encoding:\u000bchunked\r\n",
            "Transfer-Encoding: xchunked\r\n",
            "Transfer-Encoding:\r\n chunked\r\n",
            "transfer-encoding: CHUNKED\r\n",
            "Transfer_Encoding: chunked\r\n",
            "Content-Length: 5\r\n",
            "Content-Length: +5\r\n",
            "Content-Length: 0x5\r\n",
            "Content-Length: 5, 5\r\n",
            "Content-Length: 05\r\n",
            "Content-Length: 18446744073709551621\r\n",
            "Content-Length:\r\n",
            "Content-Length : 5\r\n",
            "content-length: 0\r\n",
            "Host: b\r\n",
            "Connection: close\r\n",
            "Connection: keep-alive, close\r\n",
            "Expect: 100-continue\r\n",
            "Upgrade: x\r\nConnection: upgrade\r\n",
            "X: a\r\n b\r\n",
            "X\r\n",
            " X: a\r\n",
            ": a\r\n",
            "X: a\rb\r\n",
            "X: a\n",
            "\r\n");

    /** Bytes and sequences that readers treat differently. */
    private static final List<String> PIECES = List.of(
            "\r",
            "\n",
            "\r\n",
            "\n\r",
            "\r\r\n",
            "\n\n",
            " ",
            "\t",
            "\u000b",
            "\f",
            "\0",
            "\u007f",
            "\u0080",
            "\u0085",
            "\u00a0",
            "\u00ff",
            ":",
            ";",
            ",",
            "\"",
            "\\",
            "=",
            "+",
            "-",
            "_",
            "0",
            "1",
            "f",
            "0x",
            "0\r\n",
            "0\r\n\r\n",
            "#",
            "?",
            "%",
            "@",
            "[",
            "HTTP/1.0",
            "HTTP/1.1",
            "HTTP/1.2",
            "HTTP/2.0",
            "chunked",
            "identity");

    private final Random random;

    RequestMutator(Random random) {
        this.random = random;
    }

    /** Ends with a valid request that only a reader sees that reads everything before it to its end. */
    byte[] next() {
        StringBuilder connection = new StringBuilder(any(CONNECTIONS));
        if (random.nextInt(3) == 0) {
            connection.append(any(CONNECTIONS));
        }
        connection.append("GET /last HTTP/1.1\r\nHost: a\r\n\r\n");
        return changed(connection);
    }

    /** The same bytes, changed in a few places. */
    byte[] changed(byte[] bytes) {
        return changed(new StringBuilder(new String(bytes, ISO_8859_1)));
    }

    private byte[] changed(StringBuilder text) {
        for (int changes = 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
            change(text);
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    private String any(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private void change(StringBuilder text) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(9)) {
            case 0, 1 -> text.insert(at, any(PIECES));
            case 2 -> text.replace(at, at + 1, any(PIECES));
            case 3 -> text.deleteCharAt(at);
            case 4, 5 -> text.insert(startOfLine(text, at), any(HEADERS));
            case 6 -> text.insert(at, text.substring(startOfLine(text, at), at));
            case 7 -> text.setCharAt(at, changedCase(text.charAt(at)));
            default -> insertAtSeparator(text, at);
        }
    }

    /** Where the grammar of heads and chunks is decided: next to a line end, a colon, a blank. */
    private void insertAtSeparator(StringBuilder text, int from) {
        for (int at = from; at < text.length(); at++) {
            if (":\r\n ;=".indexOf(text.charAt(at)) >= 0) {
                text.insert(at + random.nextInt(2), any(PIECES));
                return;
            }
        }
    }

    private static int startOfLine(StringBuilder text, int at) {
        return text.lastIndexOf("\n", at - 1) + 1;
    }

    private static char changedCase(char c) {
        return Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c);
    }
}
