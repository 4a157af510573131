package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;

/**
 * Turns what handlers write into what a stream sends: a server's answer, a client's request.
 *
 * <pre>
 *   HEAD ----&gt; CHUNKS ----&gt; ENDED     until the last chunk
 *     |-------&gt; LENGTH ---&gt;   |       as many bytes as Content-Length says, in buffers and file regions
 *     |----------------------&gt;'       the message has its content with it
 *     '-------&gt; EMPTY                  an answer to HEAD, a 204, 205 or 304: content is dropped, as over HTTP/1.1
 * </pre>
 *
 * <p>Belongs to the thread of its connection.
 */
final class OutboundMessage {
    private enum State {
        HEAD,
        CHUNKS,
        LENGTH,
        EMPTY,
        ENDED
    }

    private final StreamChannel channel;

    private State state = State.HEAD;

    /** Bytes that are still due, of LENGTH. */
    private long due;

    /** Of what has ended the message; null before. */
    private ChannelFuture end;

    OutboundMessage(StreamChannel channel) {
        this.channel = channel;
    }

    private boolean isResponse() {
        return channel.connection.isServer();
    }

    /** The request that was received, for a server. */
    void setMethod(HttpMethod method) {
        channel.asksForHead = HttpMethod.HEAD.equals(method);
    }

    /** Whether an answer of that status to this stream's request has no content, whatever its fields say. */
    boolean hasNoAnswerContent(HttpResponseStatus status) {
        int code = status.getCode();
        return code == 204 || code == 205 || code == 304 || channel.asksForHead;
    }

    private boolean hasEnded() {
        return state == State.ENDED || state == State.EMPTY;
    }

    /** No message can follow. */
    void end() {
        state = State.ENDED;
    }

    /** Octets of memory that a message holds until it is sent. */
    static long bytesOf(Object message) {
        ChannelBuffer content = message instanceof HttpChunk chunk
                ? chunk.getContent()
                : message instanceof HttpMessage head
                        ? head.getContent()
                        : message instanceof ChannelBuffer buffer ? buffer : ChannelBuffers.EMPTY_BUFFER;
        return content.readableBytes();
    }

    void write(MessageEvent e) {
        Object message = e.getMessage();
        ChannelFuture future = e.getFuture();
        if (!channel.isConnected()) {
            future.setFailure(ChannelClosedException.of(channel));
            return;
        }
        if (message == OutputShutdown.INSTANCE) {
            endOutput(future);
            return;
        }
        try {
            send(message, future);
            if (hasEnded() && end == null) {
                end = future;
            }
        } catch (RuntimeException refusal) {
            if (isResponse()) {
                channel.exchange.onWriteRefused(message);
            }
            future.setFailure(refusal);
            channel.fail(refusal);
        }
    }

    private void send(Object message, ChannelFuture future) {
        if (isResponse() ? message instanceof HttpResponse : message instanceof HttpRequest) {
            writeHead((HttpMessage) message, future);
        } else if (message instanceof HttpChunk chunk) {
            writeChunk(chunk, future);
        } else if (message instanceof ChannelBuffer content) {
            writeBytes(content.readableBytes(), content, null, future);
        } else if (message instanceof FileRegion region) {
            writeBytes(region.getCount(), null, region, future);
        } else {
            throw new IllegalArgumentException("a stream sends " + (isResponse() ? "HttpResponse" : "HttpRequest")
                    + ", HttpChunk, ChannelBuffer and FileRegion, not "
                    + (message == null ? "null" : message.getClass().getName()));
        }
    }

    /** Done once the message has left; a message without its end cannot have one. */
    private void endOutput(ChannelFuture future) {
        if (end == null) {
            future.setFailure(new IllegalStateException("a stream's output ends with its message, which is not whole"));
        } else {
            end.addListener(left -> {
                if (left.isSuccess()) {
                    future.setSuccess();
                } else {
                    future.setFailure(left.getCause());
                }
            });
        }
    }

    // ---- head ----

    private void writeHead(HttpMessage message, ChannelFuture future) {
        if (state != State.HEAD) {
            throw new IllegalStateException(
                    isResponse()
                            ? "a stream carries one answer, and this is another"
                            : "a stream carries one request: open another stream for another");
        }
        if (message instanceof HttpResponse response && response.getStatus().getCode() < 200) {
            writeInformational(response, future);
            return;
        }
        ArrayList<String> fields = channel.connection.borrowFields();
        try {
            addFields(fields, message);
            writeHead(message, fields, future);
        } finally {
            channel.connection.returnFields(fields);
        }
    }

    private void addFields(List<String> fields, HttpMessage message) {
        if (message instanceof HttpResponse response) {
            correctLength(response);
            SentFields.add(fields, response);
        } else {
            HttpRequest request = (HttpRequest) message;
            SentFields.add(fields, request, channel.getScheme());
            setMethod(request.getMethod());
        }
    }

    /** A 204 states no length (RFC 9110 8.6), and a 205 that it has none (15.3.6). */
    private static void correctLength(HttpResponse response) {
        int code = response.getStatus().getCode();
        if (code == 204) {
            response.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
        } else if (code == 205) {
            HttpHeaders.setContentLength(response, 0);
        }
    }

    private void writeHead(HttpMessage message, List<String> fields, ChannelFuture future) {
        ChannelBuffer content = hasNoContent(message) ? ChannelBuffers.EMPTY_BUFFER : message.getContent();
        state = stateBehind(message, content);
        boolean endsStream = hasEnded() && !content.readable();
        if (!isResponse() && !channel.connection.streams().openByUs(channel)) {
            future.setFailure(
                    new Http2StreamException(0, Http2Error.REFUSED_STREAM, "the connection opens no stream any more"));
            return;
        }
        if (endsStream || !content.readable()) {
            channel.connection.sendHead(channel, fields, endsStream, future);
        } else {
            channel.connection.sendHead(channel, fields, false, null);
            channel.connection.send(Outgoing.content(channel, content, null, state == State.ENDED, future));
        }
    }

    private void writeInformational(HttpResponse response, ChannelFuture future) {
        if (response.getStatus().getCode() == 101) {
            throw new IllegalArgumentException("101 Switching Protocols is not part of HTTP/2");
        }
        List<String> fields = new ArrayList<>();
        SentFields.add(fields, response);
        channel.connection.sendHead(channel, fields, false, future);
    }

    private boolean hasNoContent(HttpMessage message) {
        return message instanceof HttpResponse response && hasNoAnswerContent(response.getStatus());
    }

    private State stateBehind(HttpMessage message, ChannelBuffer content) {
        if (hasNoContent(message)) {
            return State.EMPTY;
        }
        if (isInChunks(message)) {
            return State.CHUNKS;
        }
        long length = HttpHeaders.getContentLength(message, content.readableBytes());
        due = length - content.readableBytes();
        return due > 0 ? State.LENGTH : State.ENDED;
    }

    /** Whether chunks follow: handlers say so by the flag or, as those of older Netty do, by the header alone. */
    static boolean isInChunks(HttpMessage message) {
        return message.isChunked() || HttpHeaders.isTransferEncodingChunked(message);
    }

    // ---- content ----

    private void writeChunk(HttpChunk chunk, ChannelFuture future) {
        if (state == State.EMPTY || state == State.ENDED && chunk.isLast()) {
            future.setSuccess();
            return;
        }
        if (state == State.LENGTH && !chunk.isLast()) {
            writeBytes(chunk.getContent().readableBytes(), chunk.getContent(), null, future);
            return;
        }
        require(State.CHUNKS, "a chunk");
        if (!chunk.isLast()) {
            channel.connection.send(Outgoing.content(channel, chunk.getContent(), null, false, future));
            return;
        }
        List<String> trailers = chunk instanceof HttpChunkTrailer trailer
                        && !trailer.trailingHeaders().isEmpty()
                ? SentFields.of(trailer.trailingHeaders())
                : null;
        state = State.ENDED;
        channel.connection.send(Outgoing.content(channel, chunk.getContent(), trailers, true, future));
    }

    private void writeBytes(long length, ChannelBuffer content, FileRegion region, ChannelFuture future) {
        if (state == State.EMPTY || state == State.ENDED && length == 0) {
            future.setSuccess();
            return;
        }
        require(State.LENGTH, "content");
        if (length > due) {
            throw new IllegalStateException("more content than Content-Length says, by " + (length - due) + " bytes");
        }
        due -= length;
        boolean endsStream = due == 0;
        state = endsStream ? State.ENDED : State.LENGTH;
        channel.connection.send(
                region == null
                        ? Outgoing.content(channel, content, null, endsStream, future)
                        : Outgoing.region(channel, region, endsStream, future));
    }

    private void require(State needed, String what) {
        if (state != needed) {
            throw new IllegalStateException(what + " is written "
                    + (state == State.HEAD
                            ? "before its message"
                            : "behind the message's end, or to one that is not chunked")
                    + "; a message with content behind it is chunked, or has a Content-Length");
        }
    }
}
