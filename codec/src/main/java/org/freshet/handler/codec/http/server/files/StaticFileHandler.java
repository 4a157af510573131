package org.freshet.handler.codec.http.server.files;

import java.util.Objects;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/**
 * Answers GET and HEAD with files. Supports ranges, conditions, entity tags, and precompressed files if
 * {@link StaticFiles} allow them. Never lists directories.
 *
 * <table>
 * <caption>Responses</caption>
 * <tr><th>status</th><th>for</th></tr>
 * <tr><td>200, 206</td><td>a file, or the requested ranges of it</td></tr>
 * <tr><td>301</td><td>a directory with an index, requested without a trailing slash</td></tr>
 * <tr><td>304, 412</td><td>conditions (RFC 9110 13)</td></tr>
 * <tr><td>400</td><td>a path with {@code ..}, an encoded separator, a backslash, a control character, a drive letter,
 *     or bytes that are not UTF-8</td></tr>
 * <tr><td>403</td><td>a file that the server has no permission to read</td></tr>
 * <tr><td>404</td><td>a missing file; also hidden names, links out of the root, and anything but regular
 *     files</td></tr>
 * <tr><td>204, 405</td><td>OPTIONS; any other method</td></tr>
 * <tr><td>416</td><td>ranges beyond the file's end</td></tr>
 * <tr><td>500, 503</td><td>a failing file system; too many open files, or an executor that refuses</td></tr>
 * </table>
 *
 * <p>Requests with a path that does not begin with the {@linkplain StaticFiles.Builder#prefix prefix} are passed, with
 * their content, to the handlers after this one. The order of responses is kept. The connection is kept open or closed
 * as each request asks.
 *
 * <p>A larger file is sent as a {@link org.freshet.channel.FileRegion}, without passing through memory; on an HTTP/2
 * stream, it is read as the client's windows allow. With HTTP/1.1 over TLS, over anything but a socket, and if a
 * content encoder may need its bytes, it is sent as chunks, never more than the channel accepts. The file is closed
 * when it has been sent, when sending fails, and when the channel closes. If the file turns out to be shorter than when
 * its head was sent, the connection is closed or the stream reset, since the client has no other way to notice.
 *
 * <p>Programs that change files below the root while requests are served are trusted not to create links that lead out
 * of it.
 *
 * <p>Use one instance per pipeline, after the codec. Put execution handlers, and others that change threads, after it:
 * it must be called on the I/O thread.
 */
@ActsOn({EventKind.INTEREST_CHANGED, EventKind.CLOSED, EventKind.WRITTEN})
public final class StaticFileHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    private final FileResponder responder;

    /** Answers 404 and 405 itself. */
    public StaticFileHandler(StaticFiles files) {
        this(files, false);
    }

    /**
     * @param fallsThrough whether to pass on requests for missing files, including paths that no file can have, and all
     *     methods other than GET and HEAD. A file that exists but can't be read is always answered with 403
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
