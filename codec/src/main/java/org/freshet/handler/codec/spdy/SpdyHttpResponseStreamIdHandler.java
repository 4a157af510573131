package org.freshet.handler.codec.spdy;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Assigns responses to the streams of their requests, so that a handler written for HTTP/1 can serve SPDY. Responses must be
 * written in the order of the requests. Add it after {@link SpdyHttpCodec}.
 *
 * <p>A response that already has a stream ID keeps it, but still counts as the answer to the oldest request.
 *
 * <p>Threading: any thread may write. Belongs to one pipeline.
 */
public class SpdyHttpResponseStreamIdHandler extends SimpleChannelHandler {
    /** Marks a message that belongs to no stream. */
    private static final int NO_STREAM = 0;

    /** Stream IDs of unanswered requests, oldest first. */
    private final Queue<Integer> unanswered = new ConcurrentLinkedQueue<>();

    public SpdyHttpResponseStreamIdHandler() {}

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() instanceof SpdyRstStreamFrame reset) {
            unanswered.remove(reset.getStreamId());
        } else if (e.getMessage() instanceof HttpMessage request) {
            unanswered.add(hasStream(request) ? SpdyHttpHeaders.getStreamId(request) : NO_STREAM);
        }
        super.messageReceived(ctx, e);
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() instanceof HttpResponse response) {
            answerOldest(response);
        }
        super.writeRequested(ctx, e);
    }

    /** Gives the response the stream of the oldest request, if that has one and the response doesn't. */
    private void answerOldest(HttpResponse response) {
        Integer oldest = unanswered.poll();
        int streamId = oldest == null ? NO_STREAM : oldest;
        if (streamId != NO_STREAM && !hasStream(response)) {
            SpdyHttpHeaders.setStreamId(response, streamId);
        }
    }

    private static boolean hasStream(HttpMessage message) {
        return message.headers().contains(SpdyHttpHeaders.Names.STREAM_ID);
    }
}
