package org.freshet.handler.codec.http.server;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpContentEncoder;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Answers GET and HEAD with files: with ranges, conditions, entity tags, and precompressed files where {@link StaticFiles}
 * allows them. Directories are never listed.
 *
 * <table>
 * <caption>Answers</caption>
 * <tr><th>status</th><th>to</th></tr>
 * <tr><td>200, 206</td><td>a file, or the ranges of it that were asked for</td></tr>
 * <tr><td>301</td><td>a directory without the slash at its end</td></tr>
 * <tr><td>304, 412</td><td>conditions (RFC 9110 13)</td></tr>
 * <tr><td>400</td><td>a path with {@code ..}, an encoded separator, a backslash, a control, a drive letter, or what is not
 *     UTF-8</td></tr>
 * <tr><td>403</td><td>a file that the server may not read</td></tr>
 * <tr><td>404</td><td>what is not there; also hidden names, links out of the root, and what is no regular file</td></tr>
 * <tr><td>204, 405</td><td>OPTIONS; another method</td></tr>
 * <tr><td>416</td><td>ranges beyond the file's end</td></tr>
 * <tr><td>500, 503</td><td>a file system that fails; too many open files, or an executor that refuses</td></tr>
 * </table>
 *
 * <p>Requests whose path does not begin with the {@linkplain StaticFiles.Builder#prefix prefix} pass, with their content,
 * and are answered by the handlers behind this one; the order of answers is kept. The connection is kept or closed as each
 * request asks.
 *
 * <p>A larger file leaves as a {@link org.freshet.channel.FileRegion}, without passing through memory. Over TLS, over
 * anything but a socket, and where a content encoder may want to see it, it leaves as chunks, never more of them than the
 * channel takes. The file is closed when it has been sent, when that fails, and when the channel closes. If it turns out
 * shorter than it was when the head was sent, the connection is closed, since the client could not know otherwise.
 *
 * <p>What may change files below the root while requests are served is trusted not to put links there that lead out of it.
 *
 * <p>One instance a pipeline, behind the codec. Put handlers that run others elsewhere, such as an execution handler,
 * behind it: it must be called on the I/O thread.
 */
public final class StaticFileHandler extends AnsweringHandler {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(StaticFileHandler.class);

    private final StaticFiles files;

    private final boolean fallsThrough;

    /** Sends what does not go with the head; null until there is such. */
    private volatile ChunkedWriteHandler sender;

    /** Answers 404 and 405 itself. */
    public StaticFileHandler(StaticFiles files) {
        this(files, false);
    }

    /** @param fallsThrough whether requests for what isn't there, and those of other methods than GET and HEAD, are passed on */
    public StaticFileHandler(StaticFiles files, boolean fallsThrough) {
        this.files = Objects.requireNonNull(files, "files");
        this.fallsThrough = fallsThrough;
    }

    @Override
    boolean takes(HttpRequest request) {
        if (fallsThrough && (request.isChunked() || !isRead(request.getMethod()))) {
            return false;
        }
        return files.contain(RequestPath.rawPath(request.getUri()));
    }

    private static boolean isRead(HttpMethod method) {
        return HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method);
    }

    @Override
    void passStateOn(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ChunkedWriteHandler present = sender;
        if (present != null && (e instanceof ChannelStateEvent || e instanceof WriteCompletionEvent)) {
            present.handleUpstream(ctx, e);
        } else {
            ctx.sendUpstream(e);
        }
    }

    // ---- looking up: on the I/O thread or the executor ----

    @Override
    void answer(ChannelHandlerContext ctx, HttpRequest request) {
        if (files.executor == null) {
            send(request, FileAnswers.answer(files, request));
            return;
        }
        try {
            files.executor.execute(() -> send(request, FileAnswers.answer(files, request)));
        } catch (RejectedExecutionException e) {
            files.warn("the executor for files refused " + request.getUri(), e);
            send(request, FileAnswer.ofStatus(HttpResponseStatus.SERVICE_UNAVAILABLE));
        }
    }

    // ---- sending: any thread, one answer at a time ----

    private void send(HttpRequest request, FileAnswer answer) {
        if (fallsThrough && answer.head().getStatus().getCode() == HttpResponseStatus.NOT_FOUND.getCode()) {
            passOnLate(request);
            return;
        }
        boolean keepAlive = decidePersistence(request, answer.head());
        try {
            if (answer.content() == null) {
                sendWhole(answer.head(), keepAlive);
            } else {
                sendInParts(answer, keepAlive);
            }
        } catch (Exception e) { // a handler before this one refused the head
            close(answer);
            Channels.fireExceptionCaughtLater(ctx, e);
            channel().close(CloseReason.of(CloseReason.Kind.LOCAL, "an answer could not be sent", e));
        }
    }

    /** Only one file is open for a connection: the next answer waits until this one has left. */
    private void sendInParts(FileAnswer answer, boolean keepAlive) throws Exception {
        boolean asRegions = mayUseRegions(answer.head());
        answer.head().setChunked(!asRegions);
        ChannelFuture sent = Channels.future(channel());
        sent.addListener(done -> onSent(done, keepAlive));
        Channels.write(ctx, Channels.future(channel()), answer.head());
        FileBody body = answer.content().toBody(asRegions);
        sender().handleDownstream(ctx, new DownstreamMessageEvent(channel(), sent, body, null));
    }

    private void onSent(ChannelFuture sent, boolean keepAlive) {
        if (sent.isSuccess() && keepAlive) {
            onAnswered();
        } else if (sent.isSuccess()) {
            channel().close();
        } else { // the client has a part, and waits for the rest
            channel().close(CloseReason.of(CloseReason.Kind.LOCAL, "a file could not be sent", sent.getCause()));
        }
    }

    /** Whether nothing but the transport is to see the bytes of a file. */
    private boolean mayUseRegions(HttpResponse head) {
        ChannelPipeline pipeline = ctx.getPipeline();
        if (!files.sendfile || !(channel() instanceof SocketChannel) || pipeline.get(SslHandler.class) != null) {
            return false;
        }
        HttpContentEncoder encoder = pipeline.get(HttpContentEncoder.class);
        if (encoder instanceof SelectiveContentCompressor compressor) {
            return !compressor.mayCompress(head);
        }
        boolean left = head.getStatus().getCode() == 206 || head.headers().contains(Names.CONTENT_ENCODING);
        return encoder == null || encoder instanceof HttpContentCompressor && left;
    }

    private ChunkedWriteHandler sender() throws Exception {
        ChunkedWriteHandler present = sender;
        if (present == null) {
            present = new ChunkedWriteHandler();
            present.beforeAdd(ctx);
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

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (sender != null) {
            sender.afterRemove(ctx); // fails what is being sent, and so closes the file and the channel
        }
        super.afterRemove(ctx);
    }
}
