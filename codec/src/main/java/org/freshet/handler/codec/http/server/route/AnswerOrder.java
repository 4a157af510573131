package org.freshet.handler.codec.http.server.route;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.internal.handler.CoalescedTask;

/**
 * Keeps one connection's responses in order: one that is ready early waits for those of earlier requests. A channel
 * gets one once a function answers later.
 *
 * <p>Holds at most one response per unanswered request, which
 * {@link org.freshet.handler.codec.http.HttpLimits#maxPipelinedRequests()} limits. They count in the channel's
 * {@link org.freshet.channel.WriteAccount}. Responses that wait after a failure, or on a closed channel, are dropped.
 *
 * <p>Threading: the thread of the channel's events adds, and any thread answers. One thread at a time writes, without a
 * lock.
 */
final class AnswerOrder {
    private final ChannelHandlerContext ctx;
    private final Queue<LateAnswer> waiting = new ConcurrentLinkedQueue<>();
    private final CoalescedTask writing = new CoalescedTask(this::writeReady);

    /** A response failed, and was sent as the last one. */
    private volatile boolean ended;

    AnswerOrder(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    /** Whether all responses so far have been written. On the thread of events only. */
    boolean isEmpty() {
        return waiting.isEmpty() && !ended;
    }

    /** On the thread of events only. */
    LateAnswer add(AnswerWriter writer, RoutedRequest request) {
        LateAnswer answer = new LateAnswer(this, writer, request);
        waiting.add(answer);
        return answer;
    }

    /** Whether this response needn't wait. */
    boolean isFirst(LateAnswer answer) {
        return waiting.peek() == answer;
    }

    /**
     * Writes the responses that are ready and next in order. If nothing can be written any more, drops them. Any
     * thread.
     */
    void update() {
        writing.request();
    }

    private void writeReady() {
        for (LateAnswer next = waiting.peek(); next != null && isOpen() && next.isReady(); next = waiting.peek()) {
            try {
                ended = next.write();
            } finally {
                waiting.poll(); // only now, for isEmpty()
            }
        }
        if (!isOpen()) {
            for (LateAnswer next = waiting.poll(); next != null; next = waiting.poll()) {
                next.drop();
            }
        }
    }

    private boolean isOpen() {
        return !ended && ctx.getChannel().isOpen();
    }
}
