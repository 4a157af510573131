package org.freshet.handler.codec.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
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
    private final AtomicBoolean suspended = new AtomicBoolean();
    private final ReadSuspension reading;

    RequestsWithoutCodec(ChannelHandlerContext ctx) {
        reading = ReadSuspension.at(ctx);
    }

    void add(String accepts) {
        accepted.add(accepts);
        if (unanswered.incrementAndGet() >= MAX_UNANSWERED && suspended.compareAndSet(false, true)) {
            reading.suspend();
        }
    }

    /** Null if no request waits. */
    String poll() {
        String accepts = accepted.poll();
        if (accepts != null && unanswered.decrementAndGet() <= RESUME_AT && suspended.compareAndSet(true, false)) {
            reading.resume();
        }
        return accepts;
    }

    void requestRead(ChannelStateEvent request) {
        reading.request(request);
    }
}
