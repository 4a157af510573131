package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's response encoder, and a handler below that counts its output. */
final class Netty4Answers extends ChannelOutboundHandlerAdapter implements HttpEncoderBenchmark.Encoding {
    private final Channel channel = Netty4Channel.create();
    private int bytes;

    Netty4Answers() {
        channel.pipeline().addLast(this).addLast(new HttpResponseEncoder());
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        bytes += ((ByteBuf) message).readableBytes();
        ReferenceCountUtil.release(message);
        promise.setSuccess();
    }

    @Override
    public int encode() {
        bytes = 0;
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(HttpEncoderBenchmark.CONTENT));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, HttpEncoderBenchmark.CONTENT.length);
        channel.write(response);
        return bytes;
    }
}
