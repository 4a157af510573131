package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpExpectation;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * The single request of a server's stream, and the progress of its answer.
 *
 * <p>The connection's thread receives. A thread that writes reports that here before it passes the message to the connection's
 * thread, so a handler that has written an answer finds it counted.
 */
final class StreamExchange extends Exchange implements Exchanges {
    private volatile boolean isTunnel;

    /** The response that became the answer; null before it is written. */
    private volatile Object head;

    /** The message that ends the answer; null before it is written. */
    private volatile Object end;

    private long receivedBytes;

    /** @param contentLength the value in the head, or -1 */
    StreamExchange(HttpRequest request, long contentLength, boolean hasContent) {
        super(request, expectationOf(request.headers()), contentLength);
        if (hasContent) {
            onContentExpected();
        }
    }

    private static HttpExpectation expectationOf(HttpHeaders headers) {
        if (!headers.contains(HttpHeaders.Names.EXPECT)) {
            return HttpExpectation.NONE;
        }
        boolean isKnown = headers.getAll(HttpHeaders.Names.EXPECT).stream()
                .allMatch(HttpHeaders.Values.CONTINUE::equalsIgnoreCase);
        return isKnown ? HttpExpectation.CONTINUE : HttpExpectation.UNKNOWN;
    }

    // ---- receiving: the connection's thread -------------------------------------------------------------------------

    void onContent(int octets) {
        receivedBytes += octets;
        onContentReceived();
    }

    void onEndOfContent() {
        onContentEnd();
    }

    // ---- answering --------------------------------------------------------------------------------------------------

    /** Any thread: the message goes to the connection's thread next. */
    void onWrite(Object message) {
        if (message instanceof HttpResponse response) {
            onHead(response);
        } else if (hasBegun()) {
            onBody(message);
        }
    }

    private void onHead(HttpResponse response) {
        int code = response.getStatus().getCode();
        if (code < 200) {
            if (code == 100) {
                onContinued();
            } else if (code == 101 && claim()) {
                isTunnel = true;
                endWith(response);
            }
            return;
        }
        boolean isEmpty = isHead() || code == 204 || code == 205 || code == 304;
        boolean isChunked = SentFields.announcesChunks(response);
        long due = SentFields.lengthOf(response) - response.getContent().readableBytes();
        if (!claim()) { // not before everything is read: a response that throws leaves its place to another one
            return; // the connection refuses a second answer
        }
        head = response;
        if (code / 100 == 2 && isConnect()) {
            isTunnel = true;
            endWith(response);
        } else if (isEmpty) {
            endWith(response);
        } else if (isChunked) {
            begin(Framing.CHUNKS, 0);
        } else if (due > 0) {
            begin(Framing.LENGTH, due);
        } else {
            endWith(response);
        }
    }

    private void onBody(Object message) {
        if (message instanceof HttpChunk chunk) {
            onContentWritten(chunk.getContent().readableBytes());
            if (chunk.isLast()) {
                endWith(chunk);
            }
        } else if (message instanceof ChannelBuffer bytes) {
            onContentWritten(bytes.readableBytes());
        } else if (message instanceof FileRegion region) {
            onContentWritten(region.getCount());
        }
    }

    private void endWith(Object message) {
        end = message;
        end();
    }

    /**
     * The connection's thread: the message cannot be sent, and another one may replace it.
     *
     * @param hasBegun whether the head of the answer was sent
     */
    void onWriteRefused(Object message, boolean hasBegun) {
        if (message == end || !hasBegun && message == head) {
            head = null;
            end = null;
            isTunnel = false;
            reopen();
        }
    }

    /** The connection's thread: a part of the answer was refused, so it isn't complete. */
    void onStillDue(boolean isInChunks, long due) {
        begin(isInChunks ? Framing.CHUNKS : Framing.LENGTH, due);
    }

    /** The connection's thread: the answer is complete, even if a refused part made it look incomplete. */
    void onSentWhole() {
        if (!isDone()) {
            end();
        }
    }

    // ---- queries from handlers -------------------------------------------------------------------------------------

    @Override
    public Exchange current() {
        return isDone() ? null : this;
    }

    @Override
    public Exchange newest() {
        return this;
    }

    @Override
    public int unanswered() {
        return isDone() ? 0 : 1;
    }

    /** A stream only opens once its head is complete. */
    @Override
    public boolean isReceivingHead() {
        return false;
    }

    @Override
    public boolean hasUndecodedInput() {
        return false;
    }

    @Override
    public boolean isUpgraded() {
        return isTunnel;
    }

    @Override
    public boolean isRemoved() {
        return false;
    }

    @Override
    public long receivedRequests() {
        return 1;
    }

    @Override
    public long receivedBytes() {
        return receivedBytes;
    }
}
