package org.freshet.microbench.codec;

import org.freshet.microbench.channel.Netty3Channel;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelDownstreamHandler;
import org.jboss.netty.handler.codec.http.DefaultHttpResponse;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseEncoder;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpVersion;

/** Netty 3.10.6's response encoder, and a handler below that counts its output. */
final class Netty3Answers extends SimpleChannelDownstreamHandler implements HttpEncoderBenchmark.Encoding {
    private final Channel channel;
    private int bytes;

    Netty3Answers() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("counter", this);
        pipeline.addLast("encoder", new HttpResponseEncoder());
        channel = new Netty3Channel(pipeline);
    }

    @Override
    public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
        bytes = ((ChannelBuffer) event.getMessage()).readableBytes();
        event.getFuture().setSuccess();
    }

    @Override
    public int encode() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain");
        response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, HttpEncoderBenchmark.CONTENT.length);
        response.setContent(ChannelBuffers.wrappedBuffer(HttpEncoderBenchmark.CONTENT));
        Channels.write(channel, response);
        return bytes;
    }
}
