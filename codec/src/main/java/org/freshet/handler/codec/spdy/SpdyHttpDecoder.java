package org.freshet.handler.codec.spdy;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.oneone.OneToOneDecoder;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/**
 * Decodes the frames of streams into complete HTTP messages, which name their streams in {@link SpdyHttpHeaders}. Trailers are
 * added to the headers. Other frames are not passed on; other messages are dropped too, as in Netty 3.
 *
 * <ul>
 * <li>A request that is not valid HTTP, or whose {@code content-length} does not match its content, is answered with 400; one
 * whose headers are too large, with 431. An invalid response or push resets its stream.
 * <li>A message whose content exceeds the maximum raises a {@link TooLongFrameException}, and its stream is reset with CANCEL.
 * <li>A server push is a request with an {@linkplain SpdyHttpHeaders#getAssociatedToStreamId associated stream}, followed by a
 * response on the same stream. If SYN_STREAM has a status, it is a single response with the associated stream, URL and scheme.
 * </ul>
 *
 * <p>A message is kept until it is complete, its stream is reset by either side, it becomes too long, or the channel closes.
 *
 * <p>Threading: belongs to one pipeline and its channel's I/O thread.
 */
@ActsOn(EventKind.CLOSED)
public class SpdyHttpDecoder extends OneToOneDecoder implements ChannelDownstreamHandler {
    private final int version;
    private final int maxContentLength;

    /** Messages with incomplete content, by stream. */
    private final Map<Integer, HttpMessage> messages;

    /** @param maxContentLength the most content in a message, in bytes, 1 or more */
    public SpdyHttpDecoder(SpdyVersion spdyVersion, int maxContentLength) {
        this(spdyVersion, maxContentLength, new HashMap<>());
    }

    /** @param messageMap holds the incomplete messages; belongs to this instance */
    protected SpdyHttpDecoder(SpdyVersion spdyVersion, int maxContentLength, Map<Integer, HttpMessage> messageMap) {
        version = Objects.requireNonNull(spdyVersion, "spdyVersion").version();
        if (maxContentLength <= 0) {
            throw new IllegalArgumentException("maxContentLength <= 0: " + maxContentLength);
        }
        this.maxContentLength = maxContentLength;
        messages = Objects.requireNonNull(messageMap, "messageMap");
    }

    /** Keeps an incomplete message. Returns the one it replaces, or null. */
    protected HttpMessage putMessage(int streamId, HttpMessage message) {
        return messages.put(streamId, message);
    }

    /** Null if the stream has no unfinished message. */
    protected HttpMessage getMessage(int streamId) {
        return messages.get(streamId);
    }

    /** Null if the stream had no unfinished message. */
    protected HttpMessage removeMessage(int streamId) {
        return messages.remove(streamId);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof ChannelStateEvent change
                && change.getState() == ChannelState.OPEN
                && Boolean.FALSE.equals(change.getValue())) {
            messages.clear();
        }
        super.handleUpstream(ctx, evt);
    }

    /** Watches for streams that this side resets. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        forgetIfReset(ctx, evt);
        ctx.sendDownstream(evt);
    }

    final void forgetIfReset(ChannelHandlerContext ctx, ChannelEvent evt) {
        if (evt instanceof MessageEvent e && e.getMessage() instanceof SpdyRstStreamFrame reset) {
            int id = reset.getStreamId();
            ctx.getPipeline().execute(() -> removeMessage(id));
        }
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (msg instanceof SpdySynStreamFrame frame) {
            return SpdyWire.isServersId(frame.getStreamId()) ? decodePush(ctx, frame) : decodeRequest(ctx, frame);
        }
        if (msg instanceof SpdySynReplyFrame frame) {
            return decodeReply(ctx, frame);
        }
        if (msg instanceof SpdyHeadersFrame frame) {
            return decodeHeaders(ctx, frame);
        }
        if (msg instanceof SpdyDataFrame frame) {
            return decodeData(ctx, frame);
        }
        if (msg instanceof SpdyRstStreamFrame frame) {
            removeMessage(frame.getStreamId());
        }
        return null;
    }

    // ---- the beginning of a message: each returns the message if it is complete, or null ----

    private Object decodeRequest(ChannelHandlerContext ctx, SpdySynStreamFrame frame) {
        if (frame.isTruncated()) {
            return refuse(ctx, frame, HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE);
        }
        HttpMessage request = toRequest(frame);
        return request == null || frame.isLast() && !hasLength(request, 0)
                ? refuse(ctx, frame, HttpResponseStatus.BAD_REQUEST)
                : begun(frame, request, frame.isLast());
    }

    /** HTTP/1.1 would frame the content by this header, so a request that is forwarded could hide another one. */
    private static boolean hasLength(HttpMessage message, int length) {
        for (String stated : message.headers().getAll(HttpHeaders.Names.CONTENT_LENGTH)) {
            if (!stated.equals(Integer.toString(length))) {
                return false;
            }
        }
        return true;
    }

    private Object refuse(ChannelHandlerContext ctx, SpdyStreamFrame frame, HttpResponseStatus status) {
        removeMessage(frame.getStreamId());
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(frame.getStreamId());
        reply.setLast(true);
        SpdyHeaders.setStatus(version, reply, status);
        SpdyHeaders.setVersion(version, reply, HttpVersion.HTTP_1_0);
        ctx.sendDownstream(new PeerCausedWrite(ctx.getChannel(), reply));
        return null;
    }

    private Object decodePush(ChannelHandlerContext ctx, SpdySynStreamFrame frame) {
        if (frame.getAssociatedToStreamId() == 0) {
            return reset(ctx, frame, SpdyStreamStatus.INVALID_STREAM);
        }
        if (frame.isTruncated()) {
            return reset(ctx, frame, SpdyStreamStatus.INTERNAL_ERROR);
        }
        boolean isResponse = frame.headers().contains(SpdyHeaders.HttpNames.STATUS);
        HttpMessage pushed = isResponse ? toPushedResponse(frame) : toRequest(frame);
        if (pushed == null || frame.isLast() && !isResponse) {
            return reset(ctx, frame, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        SpdyHttpHeaders.setAssociatedToStreamId(pushed, frame.getAssociatedToStreamId());
        SpdyHttpHeaders.setPriority(pushed, frame.getPriority());
        return isResponse ? begun(frame, pushed, frame.isLast()) : pushed;
    }

    private Object decodeReply(ChannelHandlerContext ctx, SpdyHeadersFrame frame) {
        if (frame.isTruncated()) {
            return reset(ctx, frame, SpdyStreamStatus.INTERNAL_ERROR);
        }
        HttpMessage response = toResponse(frame);
        if (response == null) {
            return reset(ctx, frame, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        if (frame.isLast()) {
            HttpHeaders.setContentLength(response, 0);
        }
        return begun(frame, response, frame.isLast());
    }

    private Object reset(ChannelHandlerContext ctx, SpdyStreamFrame frame, SpdyStreamStatus status) {
        removeMessage(frame.getStreamId());
        SpdyRstStreamFrame reset = new DefaultSpdyRstStreamFrame(frame.getStreamId(), status);
        ctx.sendDownstream(new PeerCausedWrite(ctx.getChannel(), reset));
        return null;
    }

    private HttpMessage begun(SpdyStreamFrame frame, HttpMessage message, boolean isWhole) {
        if (isWhole) {
            removeMessage(frame.getStreamId());
            return message;
        }
        putMessage(frame.getStreamId(), message);
        return null;
    }

    // ---- the rest ----

    private Object decodeHeaders(ChannelHandlerContext ctx, SpdyHeadersFrame frame) {
        int id = frame.getStreamId();
        HttpMessage message = getMessage(id);
        if (message == null) {
            return SpdyWire.isServersId(id) ? decodeReply(ctx, frame) : null;
        }
        if (!frame.isTruncated() && !addHeaders(message, frame)) {
            return reset(ctx, frame, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        return frame.isLast() ? whole(ctx, frame, message) : null;
    }

    private Object decodeData(ChannelHandlerContext ctx, SpdyDataFrame frame) throws TooLongFrameException {
        int id = frame.getStreamId();
        HttpMessage message = getMessage(id);
        if (message == null) {
            return null;
        }
        ChannelBuffer data = frame.getData();
        ChannelBuffer content = message.getContent();
        if (content.readableBytes() > maxContentLength - data.readableBytes()) {
            reset(ctx, frame, SpdyStreamStatus.CANCEL);
            throw new TooLongFrameException(
                    "the content of the message on stream " + id + " exceeds " + maxContentLength + " bytes");
        }
        if (content == ChannelBuffers.EMPTY_BUFFER && frame.isLast()) {
            message.setContent(data);
        } else {
            if (content == ChannelBuffers.EMPTY_BUFFER) {
                content = ChannelBuffers.dynamicBuffer(
                        Math.max(1, data.readableBytes()),
                        ctx.getChannel().getConfig().getBufferFactory());
                message.setContent(content);
            }
            content.writeBytes(data, data.readerIndex(), data.readableBytes());
        }
        return frame.isLast() ? whole(ctx, frame, message) : null;
    }

    private Object whole(ChannelHandlerContext ctx, SpdyStreamFrame frame, HttpMessage message) {
        int length = message.getContent().readableBytes();
        if (message instanceof HttpRequest && !hasLength(message, length)) {
            return refuse(ctx, frame, HttpResponseStatus.BAD_REQUEST);
        }
        removeMessage(frame.getStreamId());
        HttpHeaders.setContentLength(message, length);
        return message;
    }

    // ---- from headers to messages: null if they are not valid HTTP ----

    private HttpMessage toRequest(SpdySynStreamFrame frame) {
        HttpMethod method = SpdyHeaders.getMethod(version, frame);
        String url = SpdyHeaders.getUrl(version, frame);
        HttpVersion http = SpdyHeaders.getVersion(version, frame);
        String host = SpdyHeaders.getHost(frame);
        if (method == null || url == null || http == null || host == null) {
            return null;
        }
        try {
            HttpMessage request = new DefaultHttpRequest(http, method, url);
            HttpHeaders.setHost(request, host);
            return linked(request, frame);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private HttpMessage toResponse(SpdyHeadersFrame frame) {
        HttpResponseStatus status = SpdyHeaders.getStatus(version, frame);
        HttpVersion http = SpdyHeaders.getVersion(version, frame);
        return status == null || http == null ? null : linked(new DefaultHttpResponse(http, status), frame);
    }

    private HttpMessage toPushedResponse(SpdySynStreamFrame frame) {
        HttpMessage response = toResponse(frame);
        String url = SpdyHeaders.getUrl(version, frame);
        String scheme = SpdyHeaders.getScheme(version, frame);
        String host = SpdyHeaders.getHost(frame);
        if (response == null || url == null || scheme == null || host == null) {
            return null;
        }
        try {
            SpdyHttpHeaders.setUrl(response, url);
            SpdyHttpHeaders.setScheme(response, scheme);
            HttpHeaders.setHost(response, host);
            return response;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static HttpMessage linked(HttpMessage message, SpdyHeadersFrame frame) {
        if (!addHeaders(message, frame)) {
            return null;
        }
        SpdyHttpHeaders.setStreamId(message, frame.getStreamId());
        return message;
    }

    /** Returns false if a header is not allowed in HTTP. SPDY has its own header for the host, so a host header is ignored. */
    private static boolean addHeaders(HttpMessage message, SpdyHeadersFrame frame) {
        try {
            for (Map.Entry<String, String> header : frame.headers()) {
                String name = header.getKey();
                if (name.charAt(0) != ':'
                        && !SpdyHttpEncoder.isNotSent(name)
                        && !name.equalsIgnoreCase(HttpHeaders.Names.HOST)) {
                    message.headers().add(name, header.getValue());
                }
            }
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
