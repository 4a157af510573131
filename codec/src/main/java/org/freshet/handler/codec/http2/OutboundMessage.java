package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
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
 * Turns the messages that handlers write into the output of a stream: a server's answer or a client's request.
 *
 * <pre>
 *   HEAD ----&gt; CHUNKS ----&gt; ENDED     until the last chunk, which must not come before Content-Length is reached
 *     |-------&gt; LENGTH ---&gt;   |       until Content-Length is reached, in buffers and file regions
 *     |----------------------&gt;'       the message contains its content
 *     |-------&gt; TUNNEL --&gt; ENDED       bytes of another protocol: CONNECT, or {@link ExtendedConnect}; see {@link #outlivesInput}
 *     |-------&gt; EMPTY                  an answer to HEAD, a 204, 205 or 304: content is dropped, as over HTTP/1.1
 *     '-------&gt; CUT                    from all others but ENDED
 * </pre>
 *
 * <p>Belongs to its connection's thread.
 */
final class OutboundMessage {
    private enum State {
        HEAD,
        CHUNKS,
        LENGTH,
        EMPTY,
        ENDED,
        /** Bytes of another protocol. */
        TUNNEL,
        /** The stream has ended before the message. */
        CUT
    }

    private final StreamChannel channel;

    private State state = State.HEAD;

    /** For LENGTH and CHUNKS: bytes still missing; -1 if no Content-Length says how many. */
    private long due;

    /** The charge of the message being written, until an {@link Outgoing} takes it over. */
    private int charge;

    /** Whether the message being written has changed the state. Messages that its own code writes meanwhile don't count. */
    private boolean hasMoved;

    /** The future of the write that ended the message; null before that. */
    private ChannelFuture end;

    /** ANYTHING once the request is answered, except for tunnels. */
    private Asked asked = Asked.ANYTHING;

    OutboundMessage(StreamChannel channel) {
        this.channel = channel;
    }

    private boolean isResponse() {
        return channel.connection.isServer();
    }

    /** Sets the method of the request; again, if the request is refused and another one takes its place. */
    void setMethod(HttpMethod method) {
        asked = Asked.by(method);
    }

    /** Whether an answer with that status to this stream's request has no content, whatever its fields say. */
    boolean hasNoAnswerContent(HttpResponseStatus status) {
        return asked.hasNoContent(status);
    }

    /**
     * The stream's request asks for WebSocket.
     *
     * @param key the key of a client's handshake, or null
     */
    void awaitWebSocket(String key) {
        asked = Asked.WEB_SOCKET;
        if (key != null) {
            channel.inbound().setHandshakeKey(key);
        }
    }

    /** Whether the answer opens a tunnel if its status is 2xx. Call this before the answer only. */
    boolean awaitsTunnel() {
        return asked.isTunnel();
    }

    private boolean isWebSocket() {
        return asked == Asked.WEB_SOCKET;
    }

    /** The server has agreed to the tunnel. Returns the response for a client's handlers. */
    HttpResponse beginTunnel(HttpResponse agreed) {
        state = State.TUNNEL;
        return isWebSocket()
                ? ExtendedConnect.switching(agreed, channel.inbound().takeHandshakeKey())
                : agreed;
    }

    /** The server has not agreed to the tunnel, so a client's request ends. */
    void refuseTunnel() {
        asked = Asked.ANYTHING;
        if (state == State.CHUNKS) {
            endTunnel(Channels.future(channel));
        }
    }

    boolean isTunnel() {
        return state == State.TUNNEL;
    }

    /**
     * Whether the stream stays half open after its client has ended the other direction. True for a server's CONNECT tunnel,
     * where that means the end of a TCP connection's input (RFC 9113 8.5). WebSocket has close frames for this, so its tunnel
     * ends as a whole.
     */
    boolean outlivesInput() {
        return isResponse()
                && (state == State.HEAD && asked == Asked.CONNECT || state == State.TUNNEL && !isWebSocket());
    }

    /** Ends the tunnel after everything written so far: the peer has ended it, or this side is about to close it. */
    void endTunnel() {
        if (state == State.TUNNEL) {
            endTunnel(Channels.future(channel));
        }
    }

    private void endTunnel(ChannelFuture future) {
        state = State.ENDED;
        end = future;
        send(Outgoing.content(channel, ChannelBuffers.EMPTY_BUFFER, null, true, future));
    }

    /** Whether the message is complete, and nothing more of it can be written. */
    boolean hasEnded() {
        return state == State.ENDED || state == State.EMPTY;
    }

    /** No message can follow. */
    void end() {
        state = hasEnded() ? State.ENDED : State.CUT;
    }

    /** Hands the charge over to the {@link Outgoing} of the message. */
    int takeCharge() {
        int taken = charge;
        charge = 0;
        return taken;
    }

    /** @param bytes the charge for the message */
    void write(MessageEvent e, long bytes) {
        boolean isLater;
        try {
            isLater = !isResponse()
                    && ExtendedConnect.isUpgrade(e.getMessage())
                    && channel.connection.peer().whenKnown(() -> writeNow(e, bytes));
        } catch (Throwable refusal) { // from user code in the message, or without memory
            channel.release(bytes);
            refuse(e, refusal, false);
            channel.onQueueChanged();
            return;
        }
        if (!isLater) {
            writeNow(e, bytes);
        }
    }

    private void writeNow(MessageEvent e, long bytes) {
        int outer = charge; // of a refused message, whose future's listener may be writing this one
        boolean hasOuterMoved = hasMoved;
        charge = (int) bytes;
        hasMoved = false;
        try {
            writeCharged(e);
        } finally {
            channel.release(takeCharge()); // if the message was refused, or needs no frame
            charge = outer;
            hasMoved = hasOuterMoved;
            channel.onQueueChanged();
        }
    }

    private void writeCharged(MessageEvent e) {
        Object message = e.getMessage();
        ChannelFuture future = e.getFuture();
        if (!channel.isConnected() || state == State.CUT) {
            UnsentMessage.fail(e, UnsentMessage.causeOfClosed(channel));
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
        State stateBefore = state;
        boolean wasOver = isOver();
        try {
            send(message, future);
            if (hasEnded() && end == null) {
                onEnded(future);
            }
        } catch (Throwable refusal) { // from a message that cannot be sent, or from user code in it
            if (isOver() && !wasOver) { // that code has ended the stream first
                UnsentMessage.fail(e, refusal);
                return;
            }
            if (hasMoved && channel.stream.id() == 0) { // nothing has left
                state = stateBefore;
                hasMoved = false;
            }
            refuse(e, refusal, hasMoved);
        }
    }

    private void onEnded(ChannelFuture future) {
        end = future;
        if (isResponse()) {
            channel.exchange.onSentWhole();
        }
    }

    /**
     * Fails a write. If the message has begun and the part threw while it was being sent, or ran out of memory, resets the stream, too:
     * otherwise the peer wouldn't notice that the part is missing.
     *
     * @param hasMoved whether the state already counts the part
     */
    private void refuse(MessageEvent e, Throwable refusal, boolean hasMoved) {
        boolean isUnderWay = state == State.CHUNKS || state == State.LENGTH || state == State.CUT;
        boolean isAnswered = !hasMoved && (end != null || state == State.TUNNEL); // even if this is the answer again
        if (isResponse() && !isAnswered) {
            channel.exchange.onWriteRefused(e.getMessage(), state != State.HEAD);
            if (isUnderWay) {
                channel.exchange.onStillDue(state != State.LENGTH, due);
            }
        }
        boolean isGap = hasMoved || refusal instanceof VirtualMachineError && (isUnderWay || state == State.TUNNEL);
        boolean leavesGap = isGap && channel.stream.id() != 0;
        if (leavesGap) { // first: a listener could write the next part
            channel.connection.streams().fail(channel, refusal);
        }
        UnsentMessage.fail(e, refusal);
        if (!leavesGap) {
            channel.fail(refusal);
        }
    }

    private void send(Object message, ChannelFuture future) {
        if (state == State.TUNNEL && message instanceof ChannelBuffer content) {
            send(Outgoing.content(channel, content, null, false, future));
        } else if (isResponse() ? message instanceof HttpResponse : message instanceof HttpRequest) {
            writeHead((HttpMessage) message, future);
        } else if (message instanceof HttpChunk chunk) {
            writeChunk(chunk, future);
        } else if (message instanceof ChannelBuffer content) {
            writeBytes(content, content.readableBytes(), future);
        } else if (message instanceof FileRegion region) {
            writeBytes(region, region.getCount(), future);
        } else {
            throw new IllegalArgumentException(
                    "cannot write to a stream: it accepts " + (isResponse() ? "HttpResponse" : "HttpRequest")
                            + ", HttpChunk, ChannelBuffer and FileRegion, not "
                            + message.getClass().getName());
        }
    }

    /** Queues a part, unless its own code has ended the stream. */
    private void send(Outgoing part) {
        if (isOver()) {
            part.fail(UnsentMessage.causeOfClosed(channel));
        } else {
            channel.connection.send(part);
        }
    }

    /** Fails the write if the message's own code has ended the stream, and returns whether it has. */
    private boolean failIfOver(ChannelFuture future) {
        boolean isOver = isOver();
        if (isOver) {
            future.setFailure(UnsentMessage.causeOfClosed(channel));
        }
        return isOver;
    }

    /** Whether nothing can be sent any more. Code of a user's message may end the stream while the message is read. */
    private boolean isOver() {
        return channel.isEnded() || channel.stream.state() == StreamState.CLOSED;
    }

    /** Completes once the message has been sent. A message that is incomplete fails it. */
    private void endOutput(ChannelFuture future) {
        if (end == null) {
            future.setFailure(
                    new IllegalStateException("cannot end the output of a stream: its message is incomplete"));
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
        requireHead();
        if (message instanceof HttpResponse response && response.getStatus().getCode() < 200) {
            writeInformational(response, future);
            return;
        }
        if (message instanceof HttpResponse response
                && awaitsTunnel()
                && response.getStatus().getCode() / 100 == 2) {
            acceptTunnel(response, future);
            return;
        }
        FieldList fields = channel.connection.borrowFields();
        try {
            addFields(fields, message);
            writeHead(message, fields, future);
        } finally {
            channel.connection.returnFields(fields);
        }
    }

    private void requireHead() {
        if (state != State.HEAD) {
            throw new IllegalStateException(
                    isResponse()
                            ? "a stream carries one answer, and this is a second one"
                            : "a stream carries one request: open another stream for the next one");
        }
    }

    private void addFields(FieldList fields, HttpMessage message) {
        if (message instanceof HttpResponse response) {
            SentFields.correctLength(response);
            SentFields.add(fields, response);
        } else {
            HttpRequest request = (HttpRequest) message;
            boolean isUpgrade = ExtendedConnect.isUpgrade(request);
            if (isUpgrade && !channel.connection.peer().acceptsWebSocket()) {
                throw new IllegalStateException(
                        "the server does not accept WebSocket on streams (RFC 8441): use an" + " HTTP/1.1 connection");
            }
            SentFields.add(fields, request, channel.getScheme(), isUpgrade);
            if (channel.stream.isPrioritySet() && !request.headers().contains("Priority")) {
                fields.add("priority", channel.stream.priority().toField());
            }
            HttpMethod method = request.getMethod();
            String key = isUpgrade ? request.headers().get(HttpHeaders.Names.SEC_WEBSOCKET_KEY) : null;
            requireHead(); // the request's own code may have written another one
            setMethod(method);
            if (isUpgrade) {
                awaitWebSocket(key);
            }
        }
    }

    private void writeHead(HttpMessage message, FieldList fields, ChannelFuture future) {
        boolean isEmpty = hasNoContent(message);
        ChannelBuffer content = isEmpty ? ChannelBuffers.EMPTY_BUFFER : message.getContent();
        long missing = isEmpty ? 0 : missingAfter(message, content);
        State next = isEmpty ? State.EMPTY : stateAfter(message, missing);
        if (failIfOver(future)) {
            return;
        }
        requireHead(); // the message's own code may have written another one
        due = missing;
        move(next);
        if (isResponse()) {
            sendHead(fields, content, future);
        } else {
            openStream(fields, content, future);
        }
    }

    private void move(State next) {
        hasMoved |= state != next;
        state = next;
    }

    private void openStream(FieldList fields, ChannelBuffer content, ChannelFuture future) {
        ConnectionStreams streams = channel.connection.streams();
        try {
            if (streams.openByUs(channel)) {
                sendHead(fields, content, future);
            } else {
                future.setFailure(
                        new Http2StreamException(0, Http2Error.REFUSED_STREAM, "the connection opens no more streams"));
            }
        } finally { // without memory, too: the number is used
            streams.afterOpeningByUs();
        }
    }

    private void sendHead(FieldList fields, ChannelBuffer content, ChannelFuture future) {
        if (!content.readable()) {
            channel.connection.sendHead(channel, fields, hasEnded(), future);
        } else {
            channel.connection.sendHead(channel, fields, false, null);
            send(Outgoing.content(channel, content, null, state == State.ENDED, future));
        }
    }

    /** A 2xx opens the tunnel that a CONNECT asks for, and has no content (RFC 9110 9.3.6). */
    private void acceptTunnel(HttpResponse response, ChannelFuture future) {
        if (isWebSocket()) {
            rejectTunnel(future);
            return;
        }
        response.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
        FieldList fields = new FieldList();
        SentFields.add(fields, response);
        openTunnel(fields, future);
    }

    private void openTunnel(FieldList fields, ChannelFuture future) {
        if (failIfOver(future)) {
            return;
        }
        requireHead();
        move(State.TUNNEL);
        channel.connection.sendHead(channel, fields, false, future);
        channel.inbound().beginTunnel();
        if (isWebSocket() && !channel.stream.state().isRemoteOpen()) {
            endTunnel(); // the client ended it before it was established
        }
    }

    /** A handler that doesn't support WebSocket answers, and a 2xx would open it. Sends a 501 and drops the rest. */
    private void rejectTunnel(ChannelFuture future) {
        if (failIfOver(future)) {
            return;
        }
        requireHead();
        asked = Asked.ANYTHING;
        move(State.EMPTY);
        channel.connection.sendHead(channel, FieldList.of(":status", "501", "content-length", "0"), true, future);
    }

    private void writeSwitching(HttpResponse response, ChannelFuture future) {
        FieldList fields = new FieldList();
        ExtendedConnect.addResponse(fields, response);
        openTunnel(fields, future);
    }

    private void writeInformational(HttpResponse response, ChannelFuture future) {
        if (response.getStatus().getCode() == 101 && isWebSocket()) {
            writeSwitching(response, future);
            return;
        }
        if (response.getStatus().getCode() == 101) {
            throw new IllegalArgumentException("101 Switching Protocols is not part of HTTP/2");
        }
        FieldList fields = new FieldList();
        SentFields.add(fields, response);
        if (!failIfOver(future)) {
            requireHead();
            channel.connection.sendHead(channel, fields, false, future);
        }
    }

    private boolean hasNoContent(HttpMessage message) {
        return message instanceof HttpResponse response && hasNoAnswerContent(response.getStatus());
    }

    /** Returns the bytes of the declared Content-Length that must follow the message's own content; -1 if nothing declares them. */
    private long missingAfter(HttpMessage message, ChannelBuffer content) {
        if (!isResponse() && awaitsTunnel()) {
            return -1;
        }
        int present = content.readableBytes();
        long length = SentFields.lengthOf(message);
        if (length >= 0 && length < present) {
            throw new IllegalArgumentException(
                    "the message declares a Content-Length of " + length + " but has " + present + " bytes of content");
        }
        return length < 0 ? -1 : length - present;
    }

    private State stateAfter(HttpMessage message, long missing) {
        if (!isResponse() && awaitsTunnel() || SentFields.announcesChunks(message)) {
            return State.CHUNKS; // or a tunnel, once established
        }
        return missing > 0 ? State.LENGTH : State.ENDED;
    }

    // ---- content ----

    private void writeChunk(HttpChunk chunk, ChannelFuture future) {
        boolean isLast = chunk.isLast();
        ChannelBuffer content = chunk.getContent();
        if (state == State.EMPTY || state == State.ENDED && isLast) {
            future.setSuccess();
        } else if (state == State.LENGTH && !isLast) {
            writeBytes(content, content.readableBytes(), future);
        } else if (isLast) {
            writeLast(chunk, content, future);
        } else {
            int length = content.readableBytes();
            if (!failIfOver(future)) {
                require(State.CHUNKS, "a chunk");
                count(length);
                send(Outgoing.content(channel, content, null, false, future));
            }
        }
    }

    private void writeLast(HttpChunk chunk, ChannelBuffer content, ChannelFuture future) {
        FieldList trailers = trailersOf(chunk);
        int length = content.readableBytes();
        if (failIfOver(future)) {
            return;
        }
        if (state != State.LENGTH) {
            require(State.CHUNKS, "a chunk");
        }
        count(length);
        if (due > 0) {
            move(State.CUT);
            throw new IllegalStateException(due + " bytes of the declared Content-Length are missing");
        }
        move(State.ENDED);
        send(Outgoing.content(channel, content, trailers, true, future));
    }

    /** Returns null for none. */
    private static FieldList trailersOf(HttpChunk chunk) {
        return chunk instanceof HttpChunkTrailer trailer
                        && !trailer.trailingHeaders().isEmpty()
                ? SentFields.of(trailer.trailingHeaders())
                : null;
    }

    /** Content of a known or unknown length is about to be sent. */
    private void count(long length) {
        if (due < 0) {
            return;
        }
        if (length > due) {
            throw new IllegalStateException("content exceeds Content-Length by " + (length - due) + " bytes");
        }
        hasMoved |= length > 0;
        due -= length;
    }

    /** @param body a buffer or a file region */
    private void writeBytes(Object body, long length, ChannelFuture future) {
        if (state == State.EMPTY || state == State.ENDED && length == 0) {
            UnsentMessage.release(body);
            future.setSuccess();
            return;
        }
        if (failIfOver(future)) {
            UnsentMessage.release(body);
            return;
        }
        if (state == State.TUNNEL) {
            send(Outgoing.of(channel, body, length, false, future));
            return;
        }
        require(State.LENGTH, "content");
        count(length);
        boolean endsStream = due == 0;
        move(endsStream ? State.ENDED : State.LENGTH);
        send(Outgoing.of(channel, body, length, endsStream, future));
    }

    private void require(State needed, String what) {
        if (state != needed) {
            String where = state == State.HEAD
                    ? "before its message"
                    : "after the end of its message, or the message is not chunked";
            throw new IllegalStateException(what + " is written " + where
                    + "; for content after a message, make it chunked or set Content-Length");
        }
    }
}
