package org.freshet.handler.codec.http.server.route;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.ErrorPage;
import org.freshet.handler.codec.http.server.internal.AnswerQueue;
import org.freshet.handler.codec.http.server.internal.FileBody;

/**
 * Writes the response of a function; or an error response, if the function failed or its response can't be sent. The caller reports the
 * failure that these methods return, after the response. Immutable; any thread may use it.
 */
final class AnswerWriter {
    static final ErrorPage PLAIN = (request, status, cause) -> HttpResponses.text(status, status + "\n");

    private final ErrorPage page;

    AnswerWriter(ErrorPage page) {
        this.page = page;
    }

    /**
     * Sends the response that a function returned, which may be null.
     *
     * @return the application's fault; null if the application is not at fault
     */
    Throwable respond(RoutedRequest request, HttpResponse response) {
        Throwable refused;
        try {
            String problem = problemOf(response);
            refused = problem == null ? send(request, response, false) : new IllegalStateException(problem);
        } catch (Throwable t) { // the response may be of any class, and earlier handlers may refuse it
            refused = t;
        }
        return refused == null ? null : fail(request, refused);
    }

    private static String problemOf(HttpResponse response) {
        if (response == null) {
            return "the function returned null instead of a response";
        }
        if (response.isChunked()) {
            return "the response is chunked, but a function must return a complete response";
        }
        return response.getStatus().getCode() < 200 ? "the response isn't final: " + response.getStatus() : null;
    }

    /**
     * Answers a request whose function has thrown.
     *
     * @return the application's fault; null if functions are allowed to throw this
     */
    Throwable fail(RoutedRequest request, Throwable cause) {
        HttpResponseStatus intended = statusOf(cause);
        HttpResponseStatus status = intended == null ? HttpResponseStatus.INTERNAL_SERVER_ERROR : intended;
        Throwable fault = intended == null ? new RequestFunctionException(request, "the function failed", cause) : null;
        HttpResponse response;
        try {
            response = pageOf(request, status, cause);
        } catch (Throwable t) { // user code may throw anything
            response = HttpResponses.text(status, status + "\n");
            fault = joined(fault, new RequestFunctionException(request, "the error page failed", t));
        }
        try {
            boolean last =
                    fault != null || HttpMethod.CONNECT.equals(request.method()); // a tunnel's bytes are not a request
            complete(response, cause, last);
            Throwable refused = send(request, response, last);
            return refused == null ? fault : giveUp(request, fault, refused);
        } catch (Throwable t) {
            return giveUp(request, fault, t);
        }
    }

    /** Closes the channel so that the client doesn't wait for a response. */
    private static Throwable giveUp(RoutedRequest request, Throwable fault, Throwable refused) {
        request.channel().close();
        return joined(fault, new RequestFunctionException(request, "the error page could not be sent", refused));
    }

    private static Throwable joined(Throwable first, Throwable second) {
        if (first == null) {
            return second;
        }
        first.addSuppressed(second);
        return first;
    }

    /** Null if the cause isn't meant as a response. */
    private static HttpResponseStatus statusOf(Throwable cause) {
        if (!(cause instanceof HttpFailure failure)) {
            return null;
        }
        try {
            HttpResponseStatus status = failure.suggestedStatus();
            return status != null && HttpStatusException.isError(status) ? status : null;
        } catch (RuntimeException e) { // the class may be the application's
            return null;
        }
    }

    private HttpResponse pageOf(RoutedRequest request, HttpResponseStatus status, Throwable cause) throws Exception {
        HttpResponse response = page.page(request.request(), status, cause);
        if (response == null) {
            return PLAIN.page(request.request(), status, cause);
        }
        String problem = problemOf(response);
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        return response;
    }

    private static void complete(HttpResponse response, Throwable cause, boolean last) {
        boolean notAllowed = cause instanceof HttpStatusException refusal && refusal.allow() != null;
        if (notAllowed && !response.headers().contains(Names.ALLOW)) {
            response.headers().set(Names.ALLOW, ((HttpStatusException) cause).allow());
        }
        if (last) {
            response.headers().set(Names.CONNECTION, Values.CLOSE);
        }
    }

    /**
     * Returns why the response could not be sent; null if it was, if an earlier handler holds it, or if the channel is
     * closing.
     */
    private Throwable send(RoutedRequest request, HttpResponse response, boolean last) throws IOException {
        Channel channel = request.channel();
        FileBody body = response instanceof FileResponse file ? bodyOf(file, request) : null;
        ChannelFuture sent = Channels.future(channel);
        try {
            Channels.write(request.ctx, sent, response);
        } catch (Throwable t) { // a handler refused it
            close(body);
            throw t;
        }
        Throwable refused = sent.getCause();
        if (refused != null && !(refused instanceof ClosedChannelException) && channel.isOpen()) {
            close(body);
            return refused;
        }
        if (body != null) {
            sendBehind(request, body);
        }
        if (last) {
            sent.addListener(ChannelFutureListener.CLOSE);
        } else if (!sent.isSuccess()) {
            boolean isWhole = body == null;
            sent.addListener(done -> onHeldSent(request, done.getCause(), isWhole));
        }
        return null;
    }

    /**
     * A handler may have held the response, and another refused it when it was passed on. Then the connection ends: a
     * later response must not take its place.
     */
    private void onHeldSent(RoutedRequest request, Throwable refused, boolean isWhole) {
        Channel channel = request.channel();
        if (refused == null || refused instanceof ClosedChannelException || !channel.isOpen()) {
            return;
        }
        Exchanges exchanges = Exchanges.of(channel.getPipeline());
        if (!isWhole || exchanges == null || exchanges.unanswered() != 1) { // an error page would come too late
            channel.close(AnswerQueue.notSent(refused));
            return;
        }
        Throwable fault = fail(request, refused);
        if (fault != null) {
            Channels.fireExceptionCaughtLater(request.ctx, fault);
        }
    }

    /** Null if nothing follows the head. */
    private static FileBody bodyOf(FileResponse file, RoutedRequest request) throws IOException {
        if (!HttpMethod.HEAD.equals(request.method())) {
            return file.open(request.ctx);
        }
        file.leaveOutContent(request.ctx);
        return null;
    }

    private static void close(FileBody body) throws IOException {
        if (body != null) {
            body.close();
        }
    }

    private static void sendBehind(RoutedRequest request, FileBody body) {
        ChannelFuture sent = Channels.future(request.channel());
        sent.addListener(done -> {
            if (!done.isSuccess()) { // the client has received a part, and waits for the rest
                Channel channel = done.getChannel();
                channel.close(CloseReason.of(CloseReason.Kind.LOCAL, "a file could not be sent", done.getCause()));
            }
        });
        Channels.write(request.ctx, sent, body);
    }
}
