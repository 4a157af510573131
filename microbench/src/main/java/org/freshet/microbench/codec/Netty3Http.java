package org.freshet.microbench.codec;

import org.freshet.microbench.channel.Netty3Channel;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpRequestDecoder;

/** Netty 3.10.6's request decoder. */
final class Netty3Http extends SimpleChannelUpstreamHandler implements HttpDecoding {
    private final Channel channel;
    private final boolean readsHeaders;
    private long requests;
    private long valueChars;

    Netty3Http(HttpTraffic traffic) {
        readsHeaders = traffic.readsHeaders();
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("decoder", new HttpRequestDecoder(8192, 16384, 8192));
        pipeline.addLast("counter", this);
        channel = new Netty3Channel(pipeline);
    }

    @Override
    public void receive(byte[] stream, int offset, int length) {
        ChannelBuffer read = ChannelBuffers.buffer(length);
        read.writeBytes(stream, offset, length);
        Channels.fireMessageReceived(channel, read);
    }

    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
        requests++;
        if (readsHeaders) {
            HttpHeaders headers = ((HttpRequest) event.getMessage()).headers();
            for (String name : HttpTraffic.NAMES) {
                valueChars += headers.get(name).length();
            }
        }
    }

    @Override
    public long requests() {
        return requests;
    }

    @Override
    public long valueChars() {
        return valueChars;
    }
}
