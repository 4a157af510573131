package org.freshet.microbench.codec;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's request decoder. */
final class FreshetHttp extends SimpleChannelUpstreamHandler implements HttpDecoding {
    private final Channel channel;
    private final boolean readsHeaders;
    private long requests;
    private long valueChars;

    FreshetHttp(HttpTraffic traffic) {
        this(traffic, new HttpRequestDecoder(8192, 16384, 8192));
    }

    FreshetHttp(HttpTraffic traffic, HttpRequestDecoder decoder) {
        readsHeaders = traffic.readsHeaders();
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("decoder", decoder);
        pipeline.addLast("counter", this);
        channel = new FreshetChannel(pipeline);
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
