package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A request that a server has received, and how far its answer is: the one record of both. {@link HttpServerCodec} makes one for each
 * request, and so does the stream of an HTTP/2 request; handlers find it through {@link Exchanges}.
 *
 * <pre>
 *   AWAITED --&gt; CLAIMED --&gt; CHUNKS, LENGTH or UNTIL_CLOSE --&gt; ANSWERED
 *      ^-----------'  |              '---------------------------&gt; FAILED
 *                     '------------------------------------------&gt; ANSWERED
 * </pre>
 *
 * <p>Any thread may call the public methods. The codec or stream that makes an exchange moves it on, in the thread that writes the
 * answer. Only one final answer can claim it, even if two threads try.
 */
public class Exchange {
    private enum State {
        /** No final response has been written; interim ones (1xx) don't count. */
        AWAITED(null),
        /** The head of the final response is being encoded. */
        CLAIMED(null),
        /** The head has been written, and chunks follow up to the last one. */
        CHUNKS(Framing.CHUNKS),
        /** The head has been written, and so many bytes are due. */
        LENGTH(Framing.LENGTH),
        /** The head has been written, and what follows ends with the connection. */
        UNTIL_CLOSE(Framing.CLOSE),
        /** The answer has been written to its end. */
        ANSWERED(null),
        /** The answer can't be completed; the connection ends. */
        FAILED(null);

        /** Null unless content is to follow. */
        private final Framing framing;

        State(Framing framing) {
            this.framing = framing;
        }
    }

    /** How the end of the content that follows a head is found. */
    protected enum Framing {
        /** It is the last chunk. */
        CHUNKS,
        /** So many bytes are due, in buffers, file regions or chunks. */
        LENGTH,
        /** It is the end of the connection. */
        CLOSE
    }

    /** What a handler has attached. */
    private record Attachment(Object owner, Object value, Attachment next) {}

    static final int HEAD = 1;
    static final int CONNECT = 2;
    static final int HTTP_1_0 = 4;
    static final int UPGRADE = 8;
    static final int LAST = 16;
    private static final int EXPECTS_CONTINUE = 32;
    private static final int EXPECTS_OTHER = 64;

    // A volatile write costs as much as ten headers. Only the claim decides a race; the rest is published by release.
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

    /** What is known of the request, one bit for each; an exchange is made for every request, so it is kept small. */
    private final byte traits;

    private final long contentLength;

    /** Null if the head was refused, and once the answer has been passed on. */
    private volatile HttpRequest request;

    private volatile State state;
    private volatile boolean isReceiving;
    private volatile boolean owesContinue;

    /** Bytes of the answer's content that are still to come, of LENGTH. */
    private volatile long dueBytes;

    private volatile Attachment attachments;

    /** The exchange received after this one; null while this is the newest. */
    private volatile Exchange next;

    /**
     * @param traits of {@link #HEAD}, {@link #CONNECT}, {@link #HTTP_1_0}, {@link #UPGRADE} and {@link #LAST}
     * @param contentLength as the head says, in bytes; -1 if it doesn't
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

    /** Stands for a request whose head was refused, so that the error answer has its place. The client can't go on after it. */
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

    /** The request as it was decoded; null if its head was refused, and after its answer has been passed on. */
    public final HttpRequest getRequest() {
        return request;
    }

    /** Whether the answer has no content because the method is HEAD. */
    public final boolean isHead() {
        return (traits & HEAD) != 0;
    }

    public final boolean isConnect() {
        return (traits & CONNECT) != 0;
    }

    /** Whether the request is of HTTP/1.0: chunks and interim responses aren't for it. */
    public final boolean isOfVersion10() {
        return (traits & HTTP_1_0) != 0;
    }

    /** Whether a 101 ends HTTP, or a 2xx to CONNECT. */
    final boolean mayEndHttp() {
        return (traits & (CONNECT | UPGRADE)) != 0;
    }

    /** Whether the client goes on after the answer, as version and {@code Connection} of the request said when it was decoded. */
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

    /** Whether the head has come and a part of the content hasn't. */
    public final boolean isReceivingContent() {
        return isReceiving;
    }

    /** Whether the client waits for {@code 100 Continue} before it sends its content, and hasn't been answered. */
    public final boolean isContinueOwed() {
        return owesContinue;
    }

    protected final void onContentExpected() {
        isReceiving = true;
    }

    /** The client didn't wait for {@code 100 Continue}, or no longer does. */
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

    /** Whether no final response has been written, or only attempted. */
    public final boolean isAwaited() {
        State now = state;
        return now == State.AWAITED || now == State.CLAIMED;
    }

    /** Whether the head of the final response has been written, and not its end. */
    public final boolean isBegun() {
        return state.framing != null;
    }

    /** Whether the answer has been written to its end, or can't be any more. */
    public final boolean isOver() {
        State now = state;
        return now == State.ANSWERED || now == State.FAILED;
    }

    /** Returns false if another answer was first. */
    protected final boolean claim() {
        return STATE.compareAndSet(this, State.AWAITED, State.CLAIMED);
    }

    /** The head could not be encoded: another answer may take its place. */
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

    /** The answer has been written to its end. */
    protected final void end() {
        move(State.ANSWERED);
        onContinued();
    }

    protected final void fail() {
        move(State.FAILED);
    }

    /** What was taken for the end of the answer was refused. */
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

    /** Null unless content is to follow. */
    protected final Framing framing() {
        return state.framing;
    }

    /** How much of the content that the head declared is still to come, in bytes. */
    protected final long dueBytes() {
        return dueBytes;
    }

    /** Counts content behind the head. Ends the answer if that was all. */
    protected final void onContentWritten(long bytes) {
        if (state == State.LENGTH) {
            dueBytes -= bytes;
            if (dueBytes <= 0) {
                end();
            }
        }
    }

    // ---- what handlers keep -----------------------------------------------------------------------------------------

    /** Keeps a value for a handler until the answer has been passed on. */
    public final void attach(Object owner, Object value) {
        Attachment before;
        do {
            before = attachments;
        } while (!ATTACHMENTS.compareAndSet(this, before, new Attachment(owner, value, before)));
    }

    /** What the handler has attached last, or null. */
    public final Object attachment(Object owner) {
        for (Attachment attachment = attachments; attachment != null; attachment = attachment.next) {
            if (attachment.owner == owner) {
                return attachment.value;
            }
        }
        return null;
    }

    /** An idle connection keeps its last exchange, but nothing of the request. */
    final void forget() {
        REQUEST.setRelease(this, null);
        if (attachments != null) {
            attachments = null;
        }
    }

    // ---- its place in the order -------------------------------------------------------------------------------------

    final Exchange next() {
        return next;
    }

    /** I/O thread only. */
    final void putNext(Exchange exchange) {
        NEXT.setRelease(this, exchange);
    }
}
