package org.freshet.microbench.codec;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's compressor, and a handler below that counts its output. */
final class FreshetCompressing extends SimpleChannelDownstreamHandler implements HttpCompressionBenchmark.Compressing {
    private final Channel channel;
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    private int bytes;

    FreshetCompressing() {
        request.headers().set(HttpHeaders.Names.ACCEPT_ENCODING, "gzip");
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("counter", this);
        pipeline.addLast("compressor", new HttpContentCompressor());
        channel = new FreshetChannel(pipeline);
    }

    @Override
    public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
        bytes = ((HttpResponse) event.getMessage()).getContent().readableBytes();
        event.getFuture().setSuccess();
    }

    @Override
    public int answer() {
        Channels.fireMessageReceived(channel, request);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "application/json");
        response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, HttpCompressionBenchmark.CONTENT.length);
        response.setContent(ChannelBuffers.wrappedBuffer(HttpCompressionBenchmark.CONTENT));
        Channels.write(channel, response);
        return bytes;
    }
}
