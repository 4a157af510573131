package org.freshet.handler.codec.http.server.route;

import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpResponse;

/** Answers a request when a stage completes. Any thread; only the first call counts, since stages may be of any make. */
final class LateAnswer implements BiConsumer<HttpResponse, Throwable> {
    private final AnswerWriter writer;
    private final RoutedRequest request;
    private final AtomicBoolean answered = new AtomicBoolean();

    LateAnswer(AnswerWriter writer, RoutedRequest request) {
        this.writer = writer;
        this.request = request;
    }

    /** Whether the caller is to answer. */
    boolean claim() {
        return answered.compareAndSet(false, true);
    }

    @Override
    public void accept(HttpResponse response, Throwable cause) {
        if (!claim() || !request.channel().isOpen()) {
            return;
        }
        Throwable failure =
                cause == null ? writer.respond(request, response) : writer.fail(request, causeOfStages(cause));
        if (failure != null) {
            Channels.fireExceptionCaughtLater(request.ctx, failure);
        }
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
