package org.freshet.handler.codec.http2;

import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpExpectation;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpServerExchanges;

/**
 * The one request of a server's stream, and how far its answer is, for the handlers that ask.
 *
 * <p>The connection's thread receives; whichever thread writes says so before the message is handed to the connection's thread, so
 * that a handler which has written an answer finds it counted.
 */
final class StreamExchange implements HttpServerExchanges {
    private enum State {
        /** There is no request, or its head was refused. */
        NONE,
        UNANSWERED,
        ANSWERED
    }

    private volatile State state = State.NONE;
    private volatile boolean receivesContent;
    private volatile boolean isTunnel;

    /** The message that ends the answer; null before it is written. */
    private volatile Object end;

    // The connection's thread alone writes these; the request's head is there before handlers are.
    private HttpMethod method;
    private HttpExpectation expectation = HttpExpectation.NONE;
    private long contentLength = -1;
    private long receivedBytes;
    private boolean hasRefused;

    // ---- receiving: the connection's thread ----

    /** @param contentLength as the head says; -1 if it does not */
    void onRequest(HttpRequest request, long contentLength, boolean hasContent) {
        method = request.getMethod();
        expectation = expectationOf(request.headers());
        this.contentLength = contentLength;
        receivesContent = hasContent;
        state = State.UNANSWERED;
    }

    private static HttpExpectation expectationOf(HttpHeaders headers) {
        if (!headers.contains(HttpHeaders.Names.EXPECT)) {
            return HttpExpectation.NONE;
        }
        boolean isKnown = headers.getAll(HttpHeaders.Names.EXPECT).stream()
                .allMatch(HttpHeaders.Values.CONTINUE::equalsIgnoreCase);
        return isKnown ? HttpExpectation.CONTINUE : HttpExpectation.UNKNOWN;
    }

    void onContent(int octets) {
        receivedBytes += octets;
    }

    void onContentEnd() {
        receivesContent = false;
    }

    /** Handlers are told of a failure in the place of the request, or of the rest of it. */
    void onRefused(boolean isHead) {
        hasRefused = true;
        if (isHead) {
            receivesContent = false;
            state = State.NONE;
        }
    }

    // ---- answering ----

    /** Any thread: the message goes to the connection's thread next. */
    void onWrite(Object message) {
        if (state != State.UNANSWERED) {
            return;
        }
        if (message instanceof HttpResponse response) {
            onHead(response);
        } else if (message instanceof HttpChunk chunk && chunk.isLast()) {
            onEnd(chunk);
        }
    }

    private void onHead(HttpResponse response) {
        int status = response.getStatus().getCode();
        isTunnel |= status / 100 == 2 && HttpMethod.CONNECT.equals(method);
        if (status >= 200 && !OutboundMessage.isInChunks(response)) {
            onEnd(response);
        }
    }

    private void onEnd(Object message) {
        end = message;
        state = State.ANSWERED;
    }

    /** The connection's thread: the message cannot be sent, and another may take its place. */
    void onWriteRefused(Object message) {
        if (message != null && message == end) {
            end = null;
            state = State.UNANSWERED;
        }
    }

    // ---- what handlers ask ----

    @Override
    public int unansweredRequests() {
        return state == State.UNANSWERED ? 1 : 0;
    }

    @Override
    public boolean isReceivingContent() {
        return receivesContent;
    }

    /** Streams open once the head is whole. */
    @Override
    public boolean isReceivingHead() {
        return false;
    }

    @Override
    public boolean hasRefused() {
        return hasRefused;
    }

    @Override
    public boolean isUpgraded() {
        return isTunnel;
    }

    /** A stream ends with its one exchange anyway. */
    @Override
    public boolean isNextKeptAlive() {
        return state == State.UNANSWERED;
    }

    @Override
    public boolean isNextOfVersion10() {
        return false;
    }

    @Override
    public boolean isNextHead() {
        return state == State.UNANSWERED && HttpMethod.HEAD.equals(method);
    }

    @Override
    public long receivedRequests() {
        return method == null ? 0 : 1;
    }

    @Override
    public long receivedBytes() {
        return receivedBytes;
    }

    @Override
    public HttpExpectation lastExpectation() {
        return expectation;
    }

    @Override
    public long lastContentLength() {
        return contentLength;
    }
}
