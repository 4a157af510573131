package org.freshet.handler.codec.spdy;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Gives responses the streams of their requests, so that a handler written for HTTP/1 serves SPDY: responses must be written in
 * the order of the requests. Goes behind {@link SpdyHttpCodec}.
 *
 * <p>A response that has a stream ID keeps it; it counts as the answer to the oldest request all the same.
 *
 * <p>Threading: any thread may write. Belongs to one pipeline.
 */
public class SpdyHttpResponseStreamIdHandler extends SimpleChannelHandler {
    /** A message that belongs to no stream. */
    private static final int NO_STREAM = 0;

    /** Of the requests that are not answered, oldest first. */
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

    /** The response takes the oldest request's stream, unless one of them has none to give or needs none. */
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
