package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A request that a server has received, and the state of its response. {@link HttpServerCodec} creates one for each
 * request, and so does each HTTP/2 stream. Handlers find it through {@link Exchanges}.
 *
 * <pre>
 *   AWAITED --&gt; CLAIMED --&gt; CHUNKS, LENGTH or UNTIL_CLOSE --&gt; ANSWERED
 *      ^-----------'  |              '---------------------------&gt; FAILED
 *                     '------------------------------------------&gt; ANSWERED
 * </pre>
 *
 * <p>Any thread may call the public methods. The codec or stream that created the exchange changes its state, on the
 * thread that writes the response. Only one final response can claim it, even if two threads try.
 */
public class Exchange {
    private enum State {
        /** No final response has been written; interim ones (1xx) don't count. */
        AWAITED(null),
        /** The head of the final response is being encoded. */
        CLAIMED(null),
        /** The head has been written, and chunks follow up to the last one. */
        CHUNKS(Framing.CHUNKS),
        /** The head has been written, and a known number of bytes is still due. */
        LENGTH(Framing.LENGTH),
        /** The head has been written, and the content ends with the connection. */
        UNTIL_CLOSE(Framing.CLOSE),
        /** The response has been written completely. */
        ANSWERED(null),
        /** The response can't be completed; the connection ends. */
        FAILED(null);

        /** Null unless content follows. */
        private final Framing framing;

        State(Framing framing) {
            this.framing = framing;
        }
    }

    /** What ends the content that follows a head. */
    protected enum Framing {
        /** The last chunk. */
        CHUNKS,
        /** A number of bytes, in buffers, file regions or chunks. */
        LENGTH,
        /** The end of the connection. */
        CLOSE
    }

    /** A value that a handler has attached. */
    private record Attachment(Object owner, Object value, Attachment next) {}

    static final int HEAD = 1;
    static final int CONNECT = 2;
    static final int HTTP_1_0 = 4;
    static final int UPGRADE = 8;
    static final int LAST = 16;
    private static final int EXPECTS_CONTINUE = 32;
    private static final int EXPECTS_OTHER = 64;

    // Volatile writes showed in the profile of pipelined requests. Only the claim decides a race; the other fields are
    // published with release writes.
    private static final VarHandle STATE;
    private static final VarHandle REQUEST;
    private static final VarHandle NEXT;
    private static final VarHandle ATTACHMENTS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Exchange.class, "state", State.class);
            REQUEST = lookup.findVarHandle(Exchange.class, "request", HttpRequest.class);
            NEXT = lookup.findVarHandle(Exchange.class, "next", Exchange.class);
            ATTACHMENTS = lookup.findVarHandle(Exchange.class, "attachments", Attachment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Facts about the request, one bit each. Every request has an exchange, so exchanges are kept small. */
    private final byte traits;

    /** How many exchanges of its channel came before it; wraps around. Set before others see this. */
    int number;

    private final long contentLength;

    /** Null if the head was refused, and once the response has been passed on. */
    private volatile HttpRequest request;

    private volatile State state;
    private volatile boolean isReceiving;
    private volatile boolean owesContinue;

    /** Bytes of the response's content that are still to come, in state LENGTH. */
    private volatile long dueBytes;

    private volatile Attachment attachments;

    /** The exchange received after this one; null while this is the newest. */
    private volatile Exchange next;

    /**
     * @param traits a combination of {@link #HEAD}, {@link #CONNECT}, {@link #HTTP_1_0}, {@link #UPGRADE} and
     *     {@link #LAST}
     * @param contentLength the declared length in bytes; -1 if the head declares none
     */
    Exchange(HttpRequest request, int traits, HttpExpectation expectation, long contentLength) {
        REQUEST.set(this, request);
        STATE.set(this, State.AWAITED);
        this.traits = (byte) (traits | traitOf(expectation));
        this.contentLength = contentLength;
        if (expectation == HttpExpectation.CONTINUE) {
            owesContinue = true;
        }
    }

    private static int traitOf(HttpExpectation expectation) {
        return switch (expectation) {
            case NONE -> 0;
            case CONTINUE -> EXPECTS_CONTINUE;
            case UNKNOWN -> EXPECTS_OTHER;
        };
    }

    /** For an HTTP/2 stream. */
    protected Exchange(HttpRequest request, HttpExpectation expectation, long contentLength) {
        this(request, traitsOf(request.getMethod()), expectation, contentLength);
    }

    /**
     * Stands for a request whose head was refused, so that the error response has its place. It ends the connection.
     */
    static Exchange ofRefusedHead() {
        return new Exchange(null, LAST, HttpExpectation.NONE, -1);
    }

    static int traitsOf(HttpMethod method) {
        if (HttpMethod.HEAD.equals(method)) {
            return HEAD;
        }
        return HttpMethod.CONNECT.equals(method) ? CONNECT : 0;
    }

    // ---- the request ------------------------------------------------------------------------------------------------

    /** The request as it was decoded. Null if its head was refused, and after its response has been passed on. */
    public final HttpRequest getRequest() {
        return request;
    }

    /** Whether the response has no content because the method is HEAD. */
    public final boolean isHead() {
        return (traits & HEAD) != 0;
    }

    public final boolean isConnect() {
        return (traits & CONNECT) != 0;
    }

    /** Whether this is an HTTP/1.0 request: its client knows neither chunks nor interim responses. */
    public final boolean isHttp10() {
        return (traits & HTTP_1_0) != 0;
    }

    /** Whether a 101, or a 2xx to CONNECT, would end HTTP on this connection. */
    final boolean mayEndHttp() {
        return (traits & (CONNECT | UPGRADE)) != 0;
    }

    /**
     * Whether the connection stays open after the response, according to the request's version and {@code Connection}.
     */
    public final boolean isKeptAlive() {
        return (traits & LAST) == 0;
    }

    public final HttpExpectation getExpectation() {
        if ((traits & EXPECTS_OTHER) != 0) {
            return HttpExpectation.UNKNOWN;
        }
        return (traits & EXPECTS_CONTINUE) != 0 ? HttpExpectation.CONTINUE : HttpExpectation.NONE;
    }

    /** The request's {@code Content-Length} in bytes; -1 if it has none. */
    public final long getContentLength() {
        return contentLength;
    }

    /** Whether the head has arrived but part of the content hasn't. */
    public final boolean isReceivingContent() {
        return isReceiving;
    }

    /** Whether the client still waits for {@code 100 Continue} before it sends its content. */
    public final boolean isAwaitingContinue() {
        return owesContinue;
    }

    protected final void onContentExpected() {
        isReceiving = true;
    }

    /** The client didn't wait for {@code 100 Continue}, or no longer waits. */
    protected final void onContentReceived() {
        onContinued();
    }

    protected final void onContentEnd() {
        if (isReceiving) {
            isReceiving = false;
        }
        onContentReceived();
    }

    // ---- the answer -------------------------------------------------------------------------------------------------

    /** Whether no final response has been written. True while one is being encoded. */
    public final boolean isAwaited() {
        State now = state;
        return now == State.AWAITED || now == State.CLAIMED;
    }

    /** Whether the head of the final response has been written, but not its end. */
    public final boolean hasBegun() {
        return state.framing != null;
    }

    /** Whether the response has been written completely, or has failed. */
    public final boolean isDone() {
        State now = state;
        return now == State.ANSWERED || now == State.FAILED;
    }

    /** Returns false if another response was first. */
    protected final boolean claim() {
        return STATE.compareAndSet(this, State.AWAITED, State.CLAIMED);
    }

    /** The head could not be encoded: another response may take its place. */
    protected final void withdrawClaim() {
        STATE.compareAndSet(this, State.CLAIMED, State.AWAITED);
    }

    /** The head was written, and content follows. */
    protected final void begin(Framing framing, long dueBytes) {
        this.dueBytes = dueBytes;
        move(
                switch (framing) {
                    case CHUNKS -> State.CHUNKS;
                    case LENGTH -> State.LENGTH;
                    case CLOSE -> State.UNTIL_CLOSE;
                });
    }

    /** The response has been written completely. */
    protected final void end() {
        move(State.ANSWERED);
        onContinued();
    }

    protected final void fail() {
        move(State.FAILED);
    }

    /** The presumed end of the response was refused. */
    protected final void reopen() {
        move(State.AWAITED);
    }

    private void move(State to) {
        STATE.setRelease(this, to);
    }

    /** {@code 100 Continue} has been written. */
    protected final void onContinued() {
        if (owesContinue) {
            owesContinue = false;
        }
    }

    /** Null unless content follows. */
    protected final Framing framing() {
        return state.framing;
    }

    /** Bytes of the declared content that are still to come. */
    protected final long remainingBytes() {
        return dueBytes;
    }

    /** Counts content written after the head. Ends the response if that was all of it. */
    protected final void onContentWritten(long bytes) {
        if (state == State.LENGTH) {
            dueBytes -= bytes;
            if (dueBytes <= 0) {
                end();
            }
        }
    }

    // ---- what handlers attach ---------------------------------------------------------------------------------------

    /** Keeps a value for a handler until the response has been passed on. */
    public final void attach(Object owner, Object value) {
        Attachment before;
        do {
            before = attachments;
        } while (!ATTACHMENTS.compareAndSet(this, before, new Attachment(owner, value, before)));
    }

    /** The value that this owner attached last, or null. */
    public final Object attachment(Object owner) {
        for (Attachment attachment = attachments; attachment != null; attachment = attachment.next) {
            if (attachment.owner == owner) {
                return attachment.value;
            }
        }
        return null;
    }

    /** An idle connection keeps its last exchange, but nothing from the request. */
    final void forget() {
        REQUEST.setRelease(this, null);
        if (attachments != null) {
            attachments = null;
        }
    }

    // ---- order of exchanges ----------------------------------------------------------------------------------------

    final Exchange next() {
        return next;
    }

    /** I/O thread only. */
    final void putNext(Exchange exchange) {
        NEXT.setRelease(this, exchange);
    }
}
