package org.freshet.handler.codec.http.server;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpServerExchanges;

/**
 * Which of the messages that are written ends an answer. Content comes as chunks, or, behind a head with a {@code
 * Content-Length}, as buffers and file regions.
 *
 * <p>For the thread that writes responses, which may change from one message to the next; {@link #isWithin} is for any thread.
 */
final class AnswerProgress {
    private enum State {
        BETWEEN,
        CHUNKS,
        BYTES
    }

    private volatile State state = State.BETWEEN;

    /** Of content that is not chunked. */
    private volatile long remainingBytes;

    /** Whether the head of an answer was written and its end was not. */
    boolean isWithin() {
        return state != State.BETWEEN;
    }

    /** Whether the codec counts the answer that is being written as written. */
    boolean isWithinBytes() {
        return state == State.BYTES;
    }

    /** Takes a message before the codec gets it; returns whether a final answer ends with it. */
    boolean onWrite(Object message, HttpServerExchanges exchanges) {
        if (message instanceof HttpResponse response) {
            return onResponse(response, exchanges);
        }
        return switch (state) {
            case CHUNKS -> message instanceof HttpChunk chunk && chunk.isLast() && end();
            case BYTES -> onBytes(message);
            case BETWEEN -> false;
        };
    }

    private boolean end() {
        state = State.BETWEEN;
        return true;
    }

    private boolean onBytes(Object message) {
        long size = message instanceof ChannelBuffer buffer
                ? buffer.readableBytes()
                : message instanceof FileRegion region ? region.getCount() : 0;
        remainingBytes -= size;
        return remainingBytes <= 0 && end();
    }

    private boolean onResponse(HttpResponse response, HttpServerExchanges exchanges) {
        int code = response.getStatus().getCode();
        if (isInterim(code)) {
            return false;
        }
        if (response.isChunked()) {
            state = State.CHUNKS;
            return false;
        }
        if (response.getContent().readable() || !mayHaveContent(code)) {
            return state == State.BETWEEN || end();
        }
        return onHead(response, exchanges);
    }

    private boolean onHead(HttpResponse response, HttpServerExchanges exchanges) {
        boolean chunked = HttpHeaders.isTransferEncodingChunked(response);
        long length = chunked ? 0 : HttpHeaders.getContentLength(response, 0);
        if (exchanges.isNextHead() || !chunked && length <= 0) {
            return end();
        }
        state = chunked ? State.CHUNKS : State.BYTES;
        remainingBytes = length;
        return false;
    }

    static boolean isInterim(int code) {
        return code >= 100 && code < 200 && code != 101;
    }

    static boolean mayHaveContent(int code) {
        return code >= 200 && code != 204 && code != 205 && code != 304;
    }
}
