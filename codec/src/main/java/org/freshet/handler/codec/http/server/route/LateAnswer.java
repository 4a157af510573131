package org.freshet.handler.codec.http.server.route;

import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.Channels;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Answers a request when a stage completes, and once the requests before it have been answered. Any thread; only the first call counts,
 * since stages may be of any make.
 */
final class LateAnswer implements BiConsumer<HttpResponse, Throwable> {
    private final AnswerOrder order;
    private final AnswerWriter writer;
    private final RoutedRequest request;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** What this is charged for in the channel's account while it waits. */
    private final AtomicLong heldBytes = new AtomicLong();

    /** Set before {@link #ready}, as is the cause. */
    private HttpResponse response;

    private Throwable cause;
    private volatile boolean ready;
    private volatile boolean dropped;

    LateAnswer(AnswerOrder order, AnswerWriter writer, RoutedRequest request) {
        this.order = order;
        this.writer = writer;
        this.request = request;
    }

    /** Takes the response, or what the function threw. */
    @Override
    public void accept(HttpResponse response, Throwable cause) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        this.response = response;
        this.cause = cause;
        if (response != null && !order.isFirst(this)) {
            hold();
        }
        ready = true;
        order.update();
        if (dropped) {
            release();
        }
    }

    /** A response that may not be held is answered like one that can't be sent. */
    private void hold() {
        try {
            long bytes = WriteAccount.bytesOf(response);
            Exception refusal = admit(request.channel(), bytes);
            if (refusal != null) {
                throw refusal;
            }
            heldBytes.set(bytes);
        } catch (Throwable t) { // the response may be of any make
            response = null;
            cause = t;
        }
    }

    /** A thread is not blocked here: the answers before this one may need it. */
    private static Exception admit(Channel channel, long bytes) {
        if (channel.getConfig().getOption(ChannelOption.WRITE_OVERFLOW) != WriteOverflow.BLOCK) {
            return WriteAccount.admit(channel, bytes);
        }
        WriteAccount.charge(channel, bytes);
        return null;
    }

    private void release() {
        WriteAccount.release(request.channel(), heldBytes.getAndSet(0));
    }

    // ---- for the order ----

    boolean isReady() {
        return ready;
    }

    /** Returns whether this was the last answer, since it failed. */
    boolean write() {
        Throwable[] fault = {null};
        try {
            WriteAccount.passOn(request.channel(), heldBytes.getAndSet(0), () -> fault[0] = respond());
        } catch (Exception e) { // respond() throws none
            fault[0] = e;
        }
        if (fault[0] != null) {
            Channels.fireExceptionCaughtLater(request.ctx, fault[0]);
        }
        return fault[0] != null;
    }

    private Throwable respond() {
        return cause == null ? writer.respond(request, response) : writer.fail(request, causeOfStages(cause));
    }

    /** It will not be written. */
    void drop() {
        dropped = true;
        release();
    }

    /** What the first stage threw. */
    private static Throwable causeOfStages(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
