package org.freshet.example.http2;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2StreamChannel;

/** Answers with the protocol of the request. The rest of this program need not know that there is HTTP/2. */
@Sharable
final class Http2HelloHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        HttpRequest request = (HttpRequest) e.getMessage();
        String how = e.getChannel() instanceof Http2StreamChannel stream
                ? "HTTP/2, stream " + stream.getStreamId()
                : "HTTP/1.1";
        ChannelBuffer content = ChannelBuffers.copiedBuffer("Hello over " + how + "\n", StandardCharsets.UTF_8);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain; charset=UTF-8");
        HttpHeaders.setContentLength(response, content.readableBytes());
        response.setContent(content);
        ChannelFuture written = e.getChannel().write(response);
        if (!HttpHeaders.isKeepAlive(request)) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** With HTTP/2, this closes only the one stream. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        Channel channel = e.getChannel();
        System.err.println("request failed: " + e.getCause());
        channel.close();
    }
}
