package org.freshet.microbench.codec;

import java.nio.charset.StandardCharsets;
import org.freshet.microbench.channel.Netty3Channel;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelDownstreamHandler;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.handler.codec.http.DefaultHttpResponse;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.jboss.netty.handler.codec.spdy.SpdyFrameCodec;
import org.jboss.netty.handler.codec.spdy.SpdyHttpCodec;
import org.jboss.netty.handler.codec.spdy.SpdyHttpResponseStreamIdHandler;
import org.jboss.netty.handler.codec.spdy.SpdySessionHandler;
import org.jboss.netty.handler.codec.spdy.SpdyVersion;

/** Netty 3.10.6's SPDY handlers. */
final class Netty3Spdy extends SimpleChannelUpstreamHandler implements SpdyServing {
    private static final byte[] CONTENT = SpdyBenchmark.CONTENT.getBytes(StandardCharsets.US_ASCII);

    private final Channel channel;
    private long sentOctets;
    private int answers;

    Netty3Spdy() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("wire", new Wire());
        pipeline.addLast("frames", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
        pipeline.addLast("session", new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
        pipeline.addLast("http", new SpdyHttpCodec(SpdyVersion.SPDY_3_1, SpdyBenchmark.MAX_CONTENT));
        pipeline.addLast("ids", new SpdyHttpResponseStreamIdHandler());
        pipeline.addLast("application", this);
        channel = new Netty3Channel(pipeline);
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
