package org.freshet.handler.codec.http.server.files;

import java.util.Objects;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.LifeCycleAwareChannelHandler;

/**
 * Answers GET and HEAD with files: with ranges, conditions, entity tags, and precompressed files where {@link StaticFiles}
 * allows them. Directories are never listed.
 *
 * <table>
 * <caption>Answers</caption>
 * <tr><th>status</th><th>to</th></tr>
 * <tr><td>200, 206</td><td>a file, or the ranges of it that were asked for</td></tr>
 * <tr><td>301</td><td>a directory that has an index, without the slash at its end</td></tr>
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
public final class StaticFileHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    private final FileResponder responder;

    /** Answers 404 and 405 itself. */
    public StaticFileHandler(StaticFiles files) {
        this(files, false);
    }

    /**
     * @param fallsThrough whether requests for what isn't there are passed on, also if the path could not be a file's, and those of other
     *     methods than GET and HEAD. A file that exists and cannot be read is a 403 in any case
     */
    public StaticFileHandler(StaticFiles files, boolean fallsThrough) {
        responder = new FileResponder(Objects.requireNonNull(files, "files"), fallsThrough);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        responder.queue.handleUpstream(ctx, e);
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        responder.queue.handleDownstream(ctx, e);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) {
        responder.queue.onAdd(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        responder.onRemove(ctx);
        responder.queue.onRemove();
    }
}
