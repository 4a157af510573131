package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
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
import org.freshet.internal.handler.UnsentMessage;

/**
 * Turns what handlers write into what a stream sends: a server's answer, a client's request.
 *
 * <pre>
 *   HEAD ----&gt; CHUNKS ----&gt; ENDED     until the last chunk
 *     |-------&gt; LENGTH ---&gt;   |       as many bytes as Content-Length says, in buffers and file regions
 *     |----------------------&gt;'       the message has its content with it
 *     |-------&gt; TUNNEL --&gt; ENDED       bytes of another protocol, see {@link ExtendedConnect}
 *     |-------&gt; EMPTY                  an answer to HEAD, a 204, 205 or 304: content is dropped, as over HTTP/1.1
 *     '-------&gt; CUT                    from all others but ENDED
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
        ENDED,
        /** Bytes of another protocol, until one side ends the stream. */
        TUNNEL,
        /** The stream has ended before the message. */
        CUT
    }

    private final StreamChannel channel;

    private State state = State.HEAD;

    /** Bytes that are still due, of LENGTH. */
    private long due;

    /** Of the message that is being written, until an {@link Outgoing} takes it over. */
    private int charge;

    /** Of what has ended the message; null before. */
    private ChannelFuture end;

    /** Of a request for a tunnel that is not answered: the key of its handshake, or empty; null for none. */
    private String switchingKey;

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

    /**
     * The stream's request asks for a tunnel.
     *
     * @param key of a client's handshake, or null
     */
    void awaitSwitching(String key) {
        switchingKey = key == null ? "" : key;
    }

    boolean awaitsSwitching() {
        return switchingKey != null;
    }

    /** Both sides agree on the tunnel. Returns the key of a client's handshake, or null. */
    String beginTunnel() {
        String key = switchingKey.isEmpty() ? null : switchingKey;
        switchingKey = null;
        state = State.TUNNEL;
        return key;
    }

    boolean isTunnel() {
        return state == State.TUNNEL;
    }

    /** The peer has ended the tunnel, or this side is about to close it: behind what was written. */
    void endTunnel() {
        if (state == State.TUNNEL) {
            endTunnel(Channels.future(channel));
        }
    }

    private void endTunnel(ChannelFuture future) {
        state = State.ENDED;
        end = future;
        channel.connection.send(Outgoing.content(channel, ChannelBuffers.EMPTY_BUFFER, null, true, future));
    }

    private boolean hasEnded() {
        return state == State.ENDED || state == State.EMPTY;
    }

    /** No message can follow. */
    void end() {
        state = hasEnded() ? State.ENDED : State.CUT;
    }

    /** For the {@link Outgoing} that stands for the message. */
    int takeCharge() {
        int taken = charge;
        charge = 0;
        return taken;
    }

    /** @param bytes that were charged for it */
    void write(MessageEvent e, long bytes) {
        if (!isResponse() && ExtendedConnect.isUpgrade(e.getMessage())) {
            channel.connection.whenSettingsAreKnown(() -> writeNow(e, bytes));
        } else {
            writeNow(e, bytes);
        }
    }

    private void writeNow(MessageEvent e, long bytes) {
        int outer = charge; // of a message that was refused, if a listener of its future writes
        charge = (int) bytes;
        try {
            writeCharged(e);
        } finally {
            channel.release(takeCharge()); // what was refused, or needs no frame
            charge = outer;
        }
    }

    private void writeCharged(MessageEvent e) {
        Object message = e.getMessage();
        ChannelFuture future = e.getFuture();
        if (!channel.isConnected() || state == State.CUT) {
            UnsentMessage.fail(e, ChannelClosedException.of(channel));
            return;
        }
        if (message == OutputShutdown.INSTANCE) {
            if (state == State.TUNNEL) {
                endTunnel(future);
            } else {
                endOutput(future);
            }
            return;
        }
        try {
            send(message, future);
            if (hasEnded() && end == null) {
                end = future;
            }
        } catch (Throwable refusal) { // of a message that cannot be sent, or of what it is made of
            if (isResponse()) {
                channel.exchange.onWriteRefused(message);
            }
            UnsentMessage.fail(e, refusal);
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
        if (isResponse()
                && awaitsSwitching()
                && ((HttpResponse) message).getStatus().getCode() / 100 == 2) {
            writeNoTunnel(future);
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
            boolean isUpgrade = ExtendedConnect.isUpgrade(request);
            if (isUpgrade && !channel.connection.peerTakesWebSocket()) {
                throw new IllegalStateException(
                        "the server takes no WebSocket on streams (RFC 8441): open a connection of"
                                + " HTTP/1.1 for it");
            }
            SentFields.add(fields, request, channel.getScheme(), isUpgrade);
            setMethod(request.getMethod());
            if (isUpgrade) {
                awaitSwitching(request.headers().get(HttpHeaders.Names.SEC_WEBSOCKET_KEY));
            }
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

    /** A handler that knows nothing of tunnels answers; a 2xx would open one. What follows is dropped. */
    private void writeNoTunnel(ChannelFuture future) {
        switchingKey = null;
        state = State.EMPTY;
        channel.connection.sendHead(channel, List.of(":status", "501", "content-length", "0"), true, future);
    }

    private void writeSwitching(HttpResponse response, ChannelFuture future) {
        List<String> fields = new ArrayList<>();
        ExtendedConnect.addResponse(fields, response);
        beginTunnel();
        channel.connection.sendHead(channel, fields, false, future);
        channel.inbound().beginTunnel();
    }

    private void writeInformational(HttpResponse response, ChannelFuture future) {
        if (response.getStatus().getCode() == 101 && awaitsSwitching()) {
            writeSwitching(response, future);
            return;
        }
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
        if (isInChunks(message) || !isResponse() && awaitsSwitching()) {
            return State.CHUNKS; // a tunnel, once it is agreed on
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
            UnsentMessage.release(region);
            future.setSuccess();
            return;
        }
        if (state == State.TUNNEL) {
            sendBytes(content, region, false, future);
            return;
        }
        require(State.LENGTH, "content");
        if (length > due) {
            throw new IllegalStateException("more content than Content-Length says, by " + (length - due) + " bytes");
        }
        due -= length;
        boolean endsStream = due == 0;
        state = endsStream ? State.ENDED : State.LENGTH;
        sendBytes(content, region, endsStream, future);
    }

    private void sendBytes(ChannelBuffer content, FileRegion region, boolean endsStream, ChannelFuture future) {
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
