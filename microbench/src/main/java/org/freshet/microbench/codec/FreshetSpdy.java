package org.freshet.microbench.codec;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.spdy.SpdyFrameCodec;
import org.freshet.handler.codec.spdy.SpdyHttpCodec;
import org.freshet.handler.codec.spdy.SpdyHttpResponseStreamIdHandler;
import org.freshet.handler.codec.spdy.SpdySessionHandler;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's SPDY handlers. */
final class FreshetSpdy extends SimpleChannelUpstreamHandler implements SpdyServing {
    private static final byte[] CONTENT = SpdyBenchmark.CONTENT.getBytes(StandardCharsets.US_ASCII);

    private final Channel channel;
    private long sentOctets;
    private int answers;

    FreshetSpdy() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("wire", new Wire());
        pipeline.addLast("frames", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
        pipeline.addLast("session", new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
        pipeline.addLast("http", new SpdyHttpCodec(SpdyVersion.SPDY_3_1, SpdyBenchmark.MAX_CONTENT));
        pipeline.addLast("ids", new SpdyHttpResponseStreamIdHandler());
        pipeline.addLast("application", this);
        channel = new FreshetChannel(pipeline);
    }

    private final class Wire extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
            sentOctets += ((ChannelBuffer) event.getMessage()).readableBytes();
            event.getFuture().setSuccess();
        }
    }

    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
        if (event.getMessage() instanceof HttpRequest) {
            answers++;
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain");
            response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, CONTENT.length);
            response.setContent(ChannelBuffers.wrappedBuffer(CONTENT));
            event.getChannel().write(response);
        }
    }

    @Override
    public void receive(byte[] octets) {
        Channels.fireMessageReceived(channel, ChannelBuffers.wrappedBuffer(octets));
    }

    @Override
    public long sentOctets() {
        return sentOctets;
    }

    @Override
    public int answers() {
        return answers;
    }
}
