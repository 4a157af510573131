package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpExpectation;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.TooLongHttpMessageException;
import org.freshet.handler.codec.http2.ReceivedFields.MalformedException;

/**
 * Turns the data received on a stream into HTTP/1.1 messages, in the form the HTTP/1.1 decoder produces: short content of known
 * length is part of its message, any other content comes as chunks.
 *
 * <pre>
 *   HEAD ----&gt; COLLECTING (short content) ----&gt; ENDED
 *     |------&gt; CHUNKS ------------------------&gt;   |
 *     '-----&gt; AWAITING_TUNNEL ----&gt; TUNNEL --&gt;   '
 * </pre>
 *
 * <p>Belongs to its connection's thread.
 */
final class InboundMessage {
    private enum State {
        HEAD,
        COLLECTING,
        CHUNKS,
        /** Nothing may be received until the other side has agreed. */
        AWAITING_TUNNEL,
        /** Everything received is passed on unchanged. */
        TUNNEL,
        ENDED
    }

    /** Informational responses that may wait for handlers to read. No window bounds them, so further ones are dropped. */
    private static final int MAX_UNREAD_INFORMATION = 8;

    private final StreamChannel channel;
    private final HttpLimits limits;
    private final boolean isRequest;

    private State state = State.HEAD;

    /** The message whose content is being collected, else null. */
    private HttpMessage message;

    private ChannelBuffer collected;

    /** The key of a client's WebSocket handshake until it is answered; else null. */
    private String handshakeKey;

    /** The value of Content-Length; -1 if the header is missing, or does not describe this content. */
    private long contentLength = -1;

    private long received;

    InboundMessage(StreamChannel channel, HttpLimits limits, boolean isRequest) {
        this.channel = channel;
        this.limits = limits;
        this.isRequest = isRequest;
    }

    /** Whether the next fields begin a message; otherwise they are trailers. */
    boolean awaitsHead() {
        return state == State.HEAD;
    }

    /** @param statedLength the value of Content-Length, or -1 */
    void head(HttpMessage head, long statedLength, boolean endsStream) throws MalformedException {
        if (!isRequest && isInformational((HttpResponse) head)) {
            if (endsStream) {
                throw new MalformedException("an informational response ends its stream");
            }
            if (channel.unread() < MAX_UNREAD_INFORMATION) {
                channel.deliver(head, 0);
            }
            return;
        }
        boolean hasNoContent = !isRequest && channel.outbound.hasNoAnswerContent(((HttpResponse) head).getStatus());
        contentLength = hasNoContent ? -1 : statedLength;
        if (contentLength > limits.maxContentLength()) {
            tooLong(true);
        } else if (endsStream) {
            checkLength();
            state = State.ENDED;
            channel.deliver(head, 0);
        } else if (contentLength >= 0 && contentLength <= limits.maxChunkSize() && !awaitsContinue()) {
            state = State.COLLECTING;
            message = head;
            collected = ChannelBuffers.buffer((int) contentLength);
        } else {
            state = State.CHUNKS;
            head.setChunked(true);
            channel.deliver(head, 0);
        }
    }

    /** Whether the peer waits for an answer to the head before it sends content. */
    private boolean awaitsContinue() {
        return isRequest && channel.exchange.getExpectation() != HttpExpectation.NONE;
    }

    private static boolean isInformational(HttpResponse response) {
        return response.getStatus().getCode() < 200;
    }

    private void checkLength() throws MalformedException {
        if (contentLength >= 0 && received != contentLength) {
            throw new MalformedException("content has " + received + " octets, but content-length is " + contentLength);
        }
    }

    void setHandshakeKey(String key) {
        handshakeKey = key;
    }

    String takeHandshakeKey() {
        String key = handshakeKey;
        handshakeKey = null;
        return key;
    }

    void awaitTunnel() {
        state = State.AWAITING_TUNNEL;
    }

    /** Both sides have agreed that the stream carries another protocol. */
    void beginTunnel() {
        if (state == State.AWAITING_TUNNEL) {
            state = State.TUNNEL;
        }
    }

    boolean isTunnel() {
        return state == State.TUNNEL;
    }

    private void onTunnelContent(ChannelBuffer content, int octets, boolean endsStream) throws MalformedException {
        if (state == State.AWAITING_TUNNEL && content.readable() && !channel.outbound.hasEnded()) {
            throw new MalformedException("content before the tunnel was established");
        }
        if (state == State.TUNNEL && content.readable()) {
            channel.deliver(content, octets);
        } else {
            channel.giveBack(octets);
        }
        if (endsStream) {
            state = State.ENDED;
            onTunnelEnds();
        }
    }

    private void onTunnelEnds() {
        if (channel.outbound.outlivesInput()) {
            channel.deliver(new InputShutdownEvent(channel), 0);
        } else {
            channel.outbound.endTunnel();
        }
    }

    /** @param octets the number that counts for flow control; content may be only part of it */
    void content(ChannelBuffer content, int octets, boolean endsStream) throws MalformedException {
        if (state == State.TUNNEL || state == State.AWAITING_TUNNEL) {
            onTunnelContent(content, octets, endsStream);
            return;
        }
        received += content.readableBytes();
        if (isRequest) {
            channel.exchange.onContent(octets);
        }
        if (contentLength >= 0 && received > contentLength) {
            throw new MalformedException("content exceeds content-length: " + contentLength);
        }
        if (received > limits.maxContentLength()) {
            channel.giveBack(octets);
            tooLong(false);
            return;
        }
        if (state == State.COLLECTING) {
            collected.writeBytes(content);
            channel.giveBack(octets);
        } else if (state == State.CHUNKS && content.readable()) {
            channel.deliver(new DefaultHttpChunk(content), octets);
        } else {
            channel.giveBack(octets);
        }
        if (endsStream) {
            checkLength();
            end(HttpChunk.LAST_CHUNK);
        }
    }

    /** Notifies handlers once. Whatever still arrives is dropped. */
    private void tooLong(boolean isHead) {
        if (state != State.ENDED) {
            state = State.ENDED;
            if (isRequest && isHead) {
                channel.exchange.onEndOfContent(); // the content is dropped
            }
            message = null;
            collected = null;
            channel.fail(new TooLongHttpMessageException(
                    "content is longer than " + limits.maxContentLength() + " bytes",
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE));
        }
    }

    /** @param section a trailer section, which ends the message */
    void trailers(ReceivedFields fields, FieldCollector section) throws MalformedException {
        if (state == State.TUNNEL || state == State.AWAITING_TUNNEL) {
            throw new MalformedException("trailers in a tunnel");
        }
        checkLength();
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        try {
            fields.toTrailers(section, trailer.trailingHeaders());
        } catch (IllegalArgumentException e) {
            throw new MalformedException(e.getMessage());
        }
        boolean isEmpty = trailer.trailingHeaders().isEmpty();
        if (!isEmpty && state == State.COLLECTING) {
            beginChunks();
        }
        end(isEmpty ? HttpChunk.LAST_CHUNK : trailer);
    }

    /** Only chunked content can be followed by trailers. */
    private void beginChunks() {
        HttpMessage head = message;
        ChannelBuffer content = collected;
        message = null;
        collected = null;
        state = State.CHUNKS;
        head.setChunked(true);
        channel.deliver(head, 0);
        if (content.readable()) {
            channel.deliver(new DefaultHttpChunk(content), 0);
        }
    }

    private void end(HttpChunk last) {
        State before = state;
        state = State.ENDED;
        if (isRequest && before != State.ENDED) {
            channel.exchange.onEndOfContent();
        }
        if (before == State.COLLECTING) {
            HttpMessage whole = message;
            whole.setContent(collected);
            message = null;
            collected = null;
            channel.deliver(whole, 0);
        } else if (before == State.CHUNKS) {
            channel.deliver(last, 0);
        }
    }
}
