package org.freshet.microbench.compare.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.freshet.microbench.compare.load.HttpDialect;

/**
 * The minimum that an HTTP server can do: it knows the length of each request, parses none, and answers from a buffer
 * filled in advance. One thread at a time.
 */
final class CannedAnswers {
    private final int requestBytes;
    private final byte[] answer;

    /** A row of answers, extended as needed. */
    private ByteBuffer row;

    private CannedAnswers(int requestBytes, byte[] content) {
        this.requestBytes = requestBytes;
        String head = "HTTP/1.1 200 OK\r\nContent-Type: " + HttpDialect.CONTENT_TYPE + "\r\nContent-Length: "
                + content.length + "\r\n\r\n";
        answer = (head + new String(content, StandardCharsets.US_ASCII)).getBytes(StandardCharsets.US_ASCII);
        row = rowOf(1);
    }

    static CannedAnswers of(Assignment assignment) {
        if (assignment.has("body")) {
            int bodyBytes = assignment.number("body");
            return new CannedAnswers(HttpDialect.post(bodyBytes).length, HttpDialect.countOf(bodyBytes));
        }
        return new CannedAnswers(HttpDialect.request().length, HttpDialect.content(HttpDialect.CONTENT.length()));
    }

    /** The received bytes of a connection. */
    final class Connection {
        private int bytesOfNextRequest;

        /** Takes the number of bytes received, and returns the answers to the requests that are now complete. */
        ByteBuffer take(int bytes) {
            int arrived = bytesOfNextRequest + bytes;
            bytesOfNextRequest = arrived % requestBytes;
            return answers(arrived / requestBytes);
        }
    }

    private ByteBuffer answers(int count) {
        int bytes = count * answer.length;
        if (row.capacity() < bytes) {
            row = rowOf(count);
        }
        return row.limit(bytes).position(0);
    }

    private ByteBuffer rowOf(int count) {
        ByteBuffer answers = ByteBuffer.allocateDirect(count * answer.length);
        while (answers.hasRemaining()) {
            answers.put(answer);
        }
        return answers;
    }
}
