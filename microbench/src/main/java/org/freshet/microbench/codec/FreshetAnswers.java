package org.freshet.microbench.codec;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's response encoder, and a handler below that counts its output. */
final class FreshetAnswers extends SimpleChannelDownstreamHandler implements HttpEncoderBenchmark.Encoding {
    private final Channel channel;
    private int bytes;

    FreshetAnswers() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("counter", this);
        pipeline.addLast("encoder", new HttpResponseEncoder());
        channel = new FreshetChannel(pipeline);
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
