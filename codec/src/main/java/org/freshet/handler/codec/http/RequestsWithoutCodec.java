package org.freshet.handler.codec.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.internal.handler.ReadLimit;
import org.freshet.internal.handler.ReadSuspension;

/**
 * The {@code Accept-Encoding} values of unanswered requests, oldest first, for a pipeline with a separate request
 * decoder and response encoder, where nothing creates exchanges. Reading is suspended while {@value #MAX_UNANSWERED}
 * requests wait.
 *
 * <p>One thread adds; one thread at a time polls.
 */
final class RequestsWithoutCodec {
    private static final int MAX_UNANSWERED = 128;

    /**
     * Reading resumes at this number of requests. It doesn't resume after each response, since that may cost a system
     * call.
     */
    private static final int RESUME_AT = MAX_UNANSWERED - MAX_UNANSWERED / 4;

    private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final ReadSuspension reading;
    private final ReadLimit limit;

    RequestsWithoutCodec(ChannelHandlerContext ctx) {
        reading = ReadSuspension.at(ctx);
        limit = new ReadLimit(reading, () -> unanswered.get() <= RESUME_AT);
    }

    void add(String accepts) {
        accepted.add(accepts);
        if (unanswered.incrementAndGet() >= MAX_UNANSWERED) {
            limit.suspend();
        }
    }

    /** Null if no request waits. */
    String poll() {
        String accepts = accepted.poll();
        if (accepts != null && unanswered.decrementAndGet() <= RESUME_AT) {
            limit.resumeIfLow();
        }
        return accepts;
    }

    void requestRead(ChannelStateEvent request) {
        reading.request(request);
    }
}
