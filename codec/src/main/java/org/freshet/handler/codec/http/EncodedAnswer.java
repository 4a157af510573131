package org.freshet.handler.codec.http;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;

/** Reads the start of a response that the application has encoded itself. Stateless; any thread. */
final class EncodedAnswer {
    private static final byte[] HTTP = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);

    /** The index of the status code in a start line, after {@code HTTP/1.1 }. */
    private static final int STATUS_AT = 9;

    private EncodedAnswer() {}

    /** The status code in the start line; 0 if there is no start line. */
    static int statusOf(Object answer) {
        if (!(answer instanceof ChannelBuffer bytes) || bytes.readableBytes() < STATUS_AT + 3) {
            return 0;
        }
        int from = bytes.readerIndex();
        for (int i = 0; i < HTTP.length; i++) {
            if (bytes.getByte(from + i) != HTTP[i]) {
                return 0;
            }
        }
        int code = 0;
        for (int i = STATUS_AT; i < STATUS_AT + 3; i++) {
            int digit = bytes.getByte(from + i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            code = 10 * code + digit;
        }
        return code;
    }
}
