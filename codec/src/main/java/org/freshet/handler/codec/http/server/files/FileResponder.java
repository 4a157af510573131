package org.freshet.handler.codec.http.server.files;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.server.internal.AnswerQueue;
import org.freshet.handler.codec.http.server.internal.Answerer;
import org.freshet.handler.codec.http.server.internal.FileBody;
import org.freshet.handler.codec.http.server.internal.FileRegions;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.internal.HeapReserve;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Looks up and sends the files of a {@link StaticFileHandler}. Sections and methods say which thread calls them. */
final class FileResponder implements Answerer {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(StaticFileHandler.class);

    private final StaticFiles files;

    private final boolean fallsThrough;

    /** Sends content that isn't part of a head; null until needed. */
    private volatile ChunkedWriteHandler sender;

    final AnswerQueue queue = new AnswerQueue(this);

    FileResponder(StaticFiles files, boolean fallsThrough) {
        this.files = files;
        this.fallsThrough = fallsThrough;
    }

    @Override
    public boolean takes(HttpRequest request) {
        if (fallsThrough && (request.isChunked() || !isRead(request.getMethod()))) {
            return false;
        }
        return files.contain(RequestPath.rawPath(request.getUri()));
    }

    private static boolean isRead(HttpMethod method) {
        return HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method);
    }

    @Override
    public void passStateOn(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ChunkedWriteHandler present = sender;
        if (present != null && (e instanceof ChannelStateEvent || e instanceof WriteCompletionEvent)) {
            present.handleUpstream(ctx, e);
        } else {
            ctx.sendUpstream(e);
        }
    }

    // ---- looking up: on the I/O thread or the executor ----

    @Override
    public void answer(HttpRequest request) {
        if (files.executor == null) {
            send(request, FileAnswers.answer(files, request));
            return;
        }
        try {
            files.executor.execute(() -> answerOnExecutor(request));
        } catch (RejectedExecutionException e) {
            files.warn("the executor for files refused " + request.getUri(), e);
            send(request, FileAnswer.ofStatus(HttpResponseStatus.SERVICE_UNAVAILABLE));
        }
    }

    /** Without memory even for an error response, the connection ends: nothing else would answer, and no handler hears of it. */
    private void answerOnExecutor(HttpRequest request) {
        try {
            send(request, FileAnswers.answer(files, request));
        } catch (Throwable t) {
            HeapReserve.onFailure(t);
            queue.channel().close(AnswerQueue.notSent(t));
        }
    }

    // ---- sending: any thread, one response at a time ----

    private void send(HttpRequest request, FileAnswer answer) {
        if (fallsThrough && answer.isMissing()) {
            queue.passOnLate(request);
            return;
        }
        try {
            boolean keepAlive = queue.completeHead(request, answer.head());
            if (answer.content() == null) {
                queue.sendWhole(answer.head(), keepAlive);
            } else if (HttpMethod.HEAD.equals(request.getMethod())) {
                sendHead(answer, keepAlive);
            } else {
                sendInParts(answer, keepAlive);
            }
        } catch (Throwable e) { // an earlier handler refused the head
            giveUp(answer, e);
        }
    }

    /** Begins like the response to GET, so that earlier handlers create the same headers. */
    private void sendHead(FileAnswer answer, boolean keepAlive) throws IOException {
        answer.content().close();
        answer.head().setChunked(!leavesAsRegions(answer));
        queue.sendWhole(answer.head(), keepAlive);
    }

    /** A connection has only one file open: the next response waits until this one has been sent. */
    private void sendInParts(FileAnswer answer, boolean keepAlive) throws Exception {
        boolean asRegions = leavesAsRegions(answer);
        answer.head().setChunked(!asRegions);
        ChannelFuture begun = Channels.future(queue.channel());
        Channels.write(queue.context(), begun, answer.head());
        if (begun.getCause() != null) { // without its head, the file would be taken for a response
            giveUp(answer, begun.getCause());
            return;
        }
        ChannelFuture sent = Channels.future(queue.channel());
        sent.addListener(done -> onSent(done, keepAlive));
        FileBody body = answer.content().toBody(asRegions);
        sender().handleDownstream(queue.context(), new DownstreamMessageEvent(queue.channel(), sent, body, null));
    }

    private boolean leavesAsRegions(FileAnswer answer) {
        return files.sendfile && FileRegions.mayBeUsed(queue.channel(), answer.head());
    }

    private void giveUp(FileAnswer answer, Throwable cause) {
        close(answer);
        if (queue.channel().isOpen()) {
            Channels.fireExceptionCaughtLater(queue.context(), cause);
            queue.channel().close(AnswerQueue.notSent(cause));
        }
    }

    private void onSent(ChannelFuture sent, boolean keepAlive) {
        if (sent.isSuccess() && keepAlive) {
            queue.onAnswered();
        } else if (sent.isSuccess()) {
            queue.channel().close();
        } else { // the client has received a part, and waits for the rest
            queue.channel().close(CloseReason.of(CloseReason.Kind.LOCAL, "a file could not be sent", sent.getCause()));
        }
    }

    private ChunkedWriteHandler sender() throws Exception {
        ChunkedWriteHandler present = sender;
        if (present == null) {
            present = new ChunkedWriteHandler();
            present.beforeAdd(queue.context());
            sender = present;
        }
        return present;
    }

    private static void close(FileAnswer answer) {
        try {
            if (answer.content() != null) {
                answer.content().close();
            }
        } catch (IOException e) {
            logger.warn("failed to close a file", e);
        }
    }

    /** Fails the response being sent. This closes the file and the channel. */
    void onRemove(ChannelHandlerContext ctx) throws Exception {
        if (sender != null) {
            sender.afterRemove(ctx);
        }
    }
}
