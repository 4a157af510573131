package org.freshet.microbench.codec;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's request decoder. */
final class Netty4Http extends ChannelInboundHandlerAdapter implements HttpDecoding {
    private final Channel channel = Netty4Channel.create();
    private final boolean readsHeaders;
    private long requests;
    private long valueChars;

    Netty4Http(HttpTraffic traffic) {
        readsHeaders = traffic.readsHeaders();
        channel.pipeline().addLast(new HttpRequestDecoder(8192, 16384, 8192)).addLast(this);
    }

    @Override
    public void receive(byte[] stream, int offset, int length) {
        channel.pipeline()
                .fireChannelRead(channel.alloc().ioBuffer(length).writeBytes(stream, offset, length))
                .fireChannelReadComplete();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            requests++;
            if (readsHeaders) {
                HttpHeaders headers = request.headers();
                for (String name : HttpTraffic.NAMES) {
                    valueChars += headers.get(name).length();
                }
            }
        }
        ReferenceCountUtil.release(message);
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
