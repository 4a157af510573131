package org.freshet.handler.codec.spdy;

import java.net.SocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Encodes HTTP messages into the frames of a stream. The message names the stream in its {@link SpdyHttpHeaders}:
 *
 * <ul>
 * <li>A request needs an unused stream ID and a Host header. Priority (default 0) and scheme (default https) may be set.
 * <li>A response needs the stream ID of its request; {@link SpdyHttpResponseStreamIdHandler} sets it.
 * <li>A response with an {@linkplain SpdyHttpHeaders#setAssociatedToStreamId associated stream} is pushed. It needs an unused
 * even stream ID, a URL and a Host header.
 * </ul>
 *
 * <p>The message itself is not modified. Headers for HTTP/1 connections, and those of {@link SpdyHttpHeaders}, are not sent.
 * Chunks belong to the last chunked message that was written.
 *
 * <p>Threading: any thread may write, but messages must be written one after another with their chunks. Belongs to one
 * pipeline.
 */
public class SpdyHttpEncoder implements ChannelDownstreamHandler {
    private static final String DEFAULT_SCHEME = "https";

    /** In lower case. Headers with special handling are checked before this. */
    private static final Set<String> OF_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding");

    private static final String OWN_PREFIX = "x-spdy-";

    private final int version;

    /** The stream that chunks belong to; 0 for none. */
    private volatile int chunkedStreamId;

    public SpdyHttpEncoder(SpdyVersion spdyVersion) {
        version = Objects.requireNonNull(spdyVersion, "spdyVersion").version();
    }

    /** Whether a header, in lower case, is dropped in both directions. */
    static boolean isNotSent(String name) {
        return OF_CONNECTION.contains(name) || name.startsWith(OWN_PREFIX);
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (!(evt instanceof MessageEvent e)) {
            ctx.sendDownstream(evt);
        } else if (e.getMessage() instanceof HttpMessage message) {
            writeMessage(ctx, e, message);
        } else if (e.getMessage() instanceof HttpChunk chunk) {
            if (chunkedStreamId == 0) {
                throw new IllegalStateException("cannot write a chunk: no chunked message was written before it");
            }
            writeChunk(ctx, e.getFuture(), chunkedStreamId, chunk, e.getRemoteAddress());
        } else {
            ctx.sendDownstream(evt);
        }
    }

    private void writeMessage(ChannelHandlerContext ctx, MessageEvent e, HttpMessage message) {
        SpdyHeadersFrame frame = headersOf(message);
        boolean isChunked = message.isChunked() || HttpHeaders.isTransferEncodingChunked(message);
        ChannelBuffer content = message.getContent();
        frame.setLast(!isChunked && !content.readable());
        chunkedStreamId = isChunked ? frame.getStreamId() : 0;
        if (!content.readable()) {
            Channels.write(ctx, e.getFuture(), frame, e.getRemoteAddress());
            return;
        }
        Channels.write(ctx, Channels.future(ctx.getChannel()), frame, e.getRemoteAddress());
        writeData(ctx, e.getFuture(), frame.getStreamId(), content, !isChunked, e.getRemoteAddress());
    }

    /**
     * Writes a chunk of the stream's message. The last one may have trailers, which become a HEADERS frame.
     *
     * @param future completed when the whole chunk is sent
     */
    protected void writeChunk(
            ChannelHandlerContext ctx,
            ChannelFuture future,
            int streamId,
            HttpChunk chunk,
            SocketAddress remoteAddress) {
        if (!chunk.isLast()) {
            writeData(ctx, future, streamId, chunk.getContent(), false, remoteAddress);
            return;
        }
        chunkedStreamId = 0;
        if (!(chunk instanceof HttpChunkTrailer trailer)
                || trailer.trailingHeaders().isEmpty()) {
            writeData(ctx, future, streamId, chunk.getContent(), true, remoteAddress);
            return;
        }
        SpdyHeadersFrame trailers = new DefaultSpdyHeadersFrame(streamId);
        trailers.setLast(true);
        addHeaders(trailers, trailer.trailingHeaders());
        Channels.write(ctx, future, trailers, remoteAddress);
    }

    private static void writeData(
            ChannelHandlerContext ctx,
            ChannelFuture future,
            int streamId,
            ChannelBuffer content,
            boolean last,
            SocketAddress remoteAddress) {
        ChannelBuffer rest = content.duplicate();
        while (rest.readableBytes() > SpdyWire.MAX_LENGTH) {
            SpdyDataFrame part = data(streamId, rest.readSlice(SpdyWire.MAX_LENGTH), false);
            Channels.write(ctx, Channels.future(ctx.getChannel()), part, remoteAddress);
        }
        Channels.write(ctx, future, data(streamId, rest, last), remoteAddress);
    }

    private static SpdyDataFrame data(int streamId, ChannelBuffer content, boolean last) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(streamId);
        frame.setData(content.readable() ? content : ChannelBuffers.EMPTY_BUFFER);
        frame.setLast(last);
        return frame;
    }

    // ---- headers ----

    private SpdyHeadersFrame headersOf(HttpMessage message) {
        if (message instanceof HttpRequest request) {
            SpdySynStreamFrame frame = synStream(message);
            SpdyHeaders.setMethod(version, frame, request.getMethod());
            return withAddress(frame, message, request.getUri());
        }
        if (!(message instanceof HttpResponse response)) {
            throw new IllegalArgumentException("message is neither a request nor a response: " + message.getClass());
        }
        if (SpdyHttpHeaders.getAssociatedToStreamId(message) == 0) {
            SpdyHeadersFrame frame = new DefaultSpdySynReplyFrame(SpdyHttpHeaders.getStreamId(message));
            SpdyHeaders.setStatus(version, frame, response.getStatus());
            SpdyHeaders.setVersion(version, frame, message.getProtocolVersion());
            addHeaders(frame, message.headers());
            return frame;
        }
        SpdySynStreamFrame frame = synStream(message);
        frame.setUnidirectional(true);
        SpdyHeaders.setStatus(version, frame, response.getStatus());
        return withAddress(
                frame, message, required("a URL, see SpdyHttpHeaders.setUrl", SpdyHttpHeaders.getUrl(message)));
    }

    private static SpdySynStreamFrame synStream(HttpMessage message) {
        return new DefaultSpdySynStreamFrame(
                SpdyHttpHeaders.getStreamId(message),
                SpdyHttpHeaders.getAssociatedToStreamId(message),
                SpdyHttpHeaders.getPriority(message));
    }

    private SpdyHeadersFrame withAddress(SpdySynStreamFrame frame, HttpMessage message, String url) {
        String scheme = SpdyHttpHeaders.getScheme(message);
        SpdyHeaders.setUrl(version, frame, url);
        SpdyHeaders.setVersion(version, frame, message.getProtocolVersion());
        SpdyHeaders.setHost(frame, required("a Host header", HttpHeaders.getHost(message)));
        SpdyHeaders.setScheme(version, frame, scheme == null ? DEFAULT_SCHEME : scheme);
        for (Map.Entry<String, String> header : message.headers()) {
            if (!header.getKey().equalsIgnoreCase(HttpHeaders.Names.HOST)) {
                addHeader(frame, header);
            }
        }
        return frame;
    }

    private static String required(String what, String value) {
        if (value == null) {
            throw new IllegalArgumentException("the message needs " + what);
        }
        return value;
    }

    private static void addHeaders(SpdyHeadersFrame frame, HttpHeaders headers) {
        for (Map.Entry<String, String> header : headers) {
            addHeader(frame, header);
        }
    }

    private static void addHeader(SpdyHeadersFrame frame, Map.Entry<String, String> header) {
        if (!isNotSent(header.getKey().toLowerCase(Locale.ROOT))) {
            frame.headers().add(header.getKey(), header.getValue());
        }
    }
}
