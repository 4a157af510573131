package org.freshet.handler.codec.http.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Finds the request that each written message answers. Keeps a value for each request whose answer has not begun, oldest
 * first, and the one whose answer is being written.
 *
 * <p>Content may be written as chunks, or, behind a head with a {@code Content-Length}, as buffers and file regions.
 *
 * <p>Threading: {@link #expect} is for one thread, {@link #onWrite} for the thread that writes, which may change from one
 * message to the next; the counts are for any thread.
 */
final class ResponseTracker<T> {
    private record Exchange<T>(T value, boolean head) {}

    private final Queue<Exchange<T>> unanswered = new ConcurrentLinkedQueue<>();

    private final int bound;

    /** Requests whose answers have not ended. */
    private final AtomicInteger open = new AtomicInteger();

    /** Whose answer is being written; null between answers, and while an answer is written that no request asked for. */
    private volatile Exchange<T> current;

    /** The content that is still to come has no chunks, but so many bytes. */
    private volatile long remainingBytes;

    private volatile boolean ended;
    private volatile boolean fellBelowBound;

    ResponseTracker(int bound) {
        this.bound = bound;
    }

    /** @return whether as many requests as the bound have no complete answer now, and had not before */
    boolean expect(T value, HttpRequest request) {
        return expect(value, HttpMethod.HEAD.equals(request.getMethod()));
    }

    boolean expect(T value, boolean head) {
        unanswered.add(new Exchange<>(value, head));
        return open.incrementAndGet() == bound;
    }

    /**
     * Takes a message that is being written.
     *
     * @return the value of the request that it answers; null if it answers none, or is an interim response
     */
    T onWrite(Object message) {
        ended = false;
        fellBelowBound = false;
        if (message instanceof HttpResponse response) {
            return onResponse(response);
        }
        Exchange<T> answered = current;
        if (answered == null) {
            return null;
        }
        if (message instanceof HttpChunk chunk) {
            if (chunk.isLast()) {
                end();
            }
        } else {
            remainingBytes -= sizeOf(message);
            if (remainingBytes <= 0) {
                end();
            }
        }
        return answered.value;
    }

    /** Whether the message that was just given to {@link #onWrite} is the last of its answer. */
    boolean ended() {
        return ended;
    }

    /** Whether that message made the number of requests without a complete answer less than the bound. */
    boolean fellBelowBound() {
        return fellBelowBound;
    }

    /** How many requests have no complete answer. */
    int open() {
        return open.get();
    }

    /** Removes an exchange that is not completely answered: the one being answered, then the oldest. Null if there is none. */
    T abandon() {
        Exchange<T> abandoned = current != null ? current : unanswered.poll();
        current = null;
        if (abandoned == null) {
            return null;
        }
        open.decrementAndGet();
        return abandoned.value;
    }

    /** Of a buffer or a region; 0 for anything else. */
    static long sizeOf(Object message) {
        if (message instanceof ChannelBuffer buffer) {
            return buffer.readableBytes();
        }
        return message instanceof FileRegion region ? region.getCount() : 0;
    }

    private T onResponse(HttpResponse response) {
        int code = response.getStatus().getCode();
        if (code >= 100 && code < 200 && code != 101) {
            return null;
        }
        if (current != null) {
            end(); // its content was cut short
            ended = false;
        }
        Exchange<T> answered = unanswered.poll();
        current = answered;
        if (answered == null) {
            return null;
        }
        boolean chunked = response.isChunked() || HttpHeaders.isTransferEncodingChunked(response);
        boolean complete = answered.head
                || code == 204
                || code == 304
                || response.getContent().readable();
        remainingBytes = chunked || complete ? 0 : HttpHeaders.getContentLength(response, 0L);
        if (!chunked && remainingBytes <= 0) {
            end();
        }
        return answered.value;
    }

    private void end() {
        current = null;
        ended = true;
        fellBelowBound |= open.decrementAndGet() == bound - 1;
    }
}
