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
 * Answers a request when a stage has completed and earlier requests have been answered. Any thread may call it. Only
 * the first call counts, since stages may be of any class.
 */
final class LateAnswer implements BiConsumer<HttpResponse, Throwable> {
    private final AnswerOrder order;
    private final AnswerWriter writer;
    private final RoutedRequest request;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** Charged to the channel's account while this response waits. */
    private final AtomicLong heldBytes = new AtomicLong();

    /** Set before {@link #ready}, like {@link #cause}. */
    private HttpResponse response;

    private Throwable cause;
    private volatile boolean ready;
    private volatile boolean dropped;

    LateAnswer(AnswerOrder order, AnswerWriter writer, RoutedRequest request) {
        this.order = order;
        this.writer = writer;
        this.request = request;
    }

    /** Takes the response, or the exception of the function. */
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

    /** If the channel's limit refuses a response, it is answered like one that can't be sent. */
    private void hold() {
        try {
            long bytes = WriteAccount.bytesOf(response);
            Exception refusal = admit(request.channel(), bytes);
            if (refusal != null) {
                throw refusal;
            }
            heldBytes.set(bytes);
        } catch (Throwable t) { // the response may be of any class
            response = null;
            cause = t;
        }
    }

    /** Never blocks a thread: the responses before this one may need it. */
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

    // ---- for AnswerOrder ----

    boolean isReady() {
        return ready;
    }

    /** Returns whether this was the last response, because it failed. */
    boolean write() {
        Throwable[] fault = {null};
        try {
            WriteAccount.passOn(request.channel(), heldBytes.getAndSet(0), () -> fault[0] = respond());
        } catch (Exception e) { // respond() never throws
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

    /** Called if the response won't be written. */
    void drop() {
        dropped = true;
        release();
    }

    /** The exception of the first stage. */
    private static Throwable causeOfStages(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
