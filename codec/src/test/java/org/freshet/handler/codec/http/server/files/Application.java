package org.freshet.handler.codec.http.server.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/** Answers requests when asked to. */
final class Application extends SimpleChannelUpstreamHandler {
    final Queue<String> unanswered = new ArrayDeque<>();
    private ChannelHandlerContext ctx;

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        this.ctx = ctx;
        if (e.getMessage() instanceof HttpRequest request) {
            unanswered.add(request.getUri());
        }
    }

    void answer() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.copiedBuffer("application " + unanswered.remove(), ISO_8859_1));
        HttpHeaders.setContentLength(response, response.getContent().readableBytes());
        ctx.getChannel().write(response);
    }

    void answerInChunks() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        ctx.getChannel().write(response);
        ctx.getChannel()
                .write(new DefaultHttpChunk(
                        ChannelBuffers.copiedBuffer("application " + unanswered.remove(), ISO_8859_1)));
        ctx.getChannel().write(HttpChunk.LAST_CHUNK);
    }
}
