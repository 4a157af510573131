package org.freshet.handler.codec.http.server.route;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.internal.handler.CoalescedTask;

/**
 * The order of one connection's answers: an answer that is ready early waits for those of the requests before it. A channel has one once a
 * function has answered late.
 *
 * <p>It holds at most one answer for each unanswered request, which {@link
 * org.freshet.handler.codec.http.HttpLimits#maxPipelinedRequests()} limits; they count in the channel's {@link
 * org.freshet.channel.WriteAccount}. What waits behind a failure, or on a closed channel, is dropped.
 *
 * <p>Threading: the thread of the channel's events adds; any thread answers. One thread at a time writes, without a lock.
 */
final class AnswerOrder {
    private final ChannelHandlerContext ctx;
    private final Queue<LateAnswer> waiting = new ConcurrentLinkedQueue<>();
    private final CoalescedTask writing = new CoalescedTask(this::writeReady);

    /** An answer failed, and said that it is the last. */
    private volatile boolean ended;

    AnswerOrder(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    /** Whether all answers before the next have been written. For the thread of events. */
    boolean isEmpty() {
        return waiting.isEmpty() && !ended;
    }

    /** For the thread of events. */
    LateAnswer add(AnswerWriter writer, RoutedRequest request) {
        LateAnswer answer = new LateAnswer(this, writer, request);
        waiting.add(answer);
        return answer;
    }

    /** Whether an answer need not wait. */
    boolean isFirst(LateAnswer answer) {
        return waiting.peek() == answer;
    }

    /** Writes what is ready and due, or drops everything if nothing can be written any more. Any thread. */
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
