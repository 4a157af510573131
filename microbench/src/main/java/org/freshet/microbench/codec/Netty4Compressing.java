package org.freshet.microbench.codec;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's compressor, and a handler below that counts its output. */
final class Netty4Compressing extends ChannelOutboundHandlerAdapter implements HttpCompressionBenchmark.Compressing {
    private final Channel channel = Netty4Channel.create();
    private int bytes;

    Netty4Compressing() {
        channel.pipeline().addLast(this).addLast(new HttpContentCompressor());
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpContent content) {
            bytes += content.content().readableBytes();
        }
        ReferenceCountUtil.release(message);
        promise.setSuccess();
    }

    @Override
    public int answer() {
        bytes = 0;
        HttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.GZIP);
        channel.pipeline().fireChannelRead(request);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(HttpCompressionBenchmark.CONTENT));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, HttpCompressionBenchmark.CONTENT.length);
        channel.write(response);
        return bytes;
    }
}
