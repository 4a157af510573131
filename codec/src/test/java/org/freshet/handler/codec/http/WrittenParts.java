package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.stream.ChunkedInput;

/** What the handlers of a test write as parts of an answer. */
final class WrittenParts {
    private WrittenParts() {}

    static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    static HttpChunk chunk(String text) {
        return new DefaultHttpChunk(bytes(text));
    }

    /** @param length declared by the head; negative for none */
    static HttpResponse head(int code, long length) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
        if (length >= 0) {
            HttpHeaders.setContentLength(response, length);
        }
        return response;
    }

    static HttpResponse inChunks(int code) {
        HttpResponse response = head(code, -1);
        response.setChunked(true);
        return response;
    }

    /** Content of unknown size that must not be read. */
    static final class Input implements ChunkedInput {
        boolean isClosed;

        @Override
        public boolean hasNextChunk() {
            return true;
        }

        @Override
        public Object nextChunk() {
            throw new AssertionError("read");
        }

        @Override
        public boolean isEndOfInput() {
            return false;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
