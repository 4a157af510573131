package org.freshet.example.proxy;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.socks.Socks4RequestDecoder;
import org.freshet.handler.codec.socks.SocksInitRequestDecoder;
import org.freshet.handler.codec.socks.SocksMessage.ProtocolVersion;
import org.freshet.handler.codec.socks.SocksMessageEncoder;

/** Looks at a client's first byte and replaces itself with the handlers for that protocol. */
final class ProtocolDetector extends FrameDecoder {
    private static final SocksMessageEncoder ENCODER = new SocksMessageEncoder();

    private final TunnelConnector connector;

    ProtocolDetector(TunnelConnector connector) {
        this.connector = connector;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
        ChannelPipeline pipeline = ctx.getPipeline();
        switch (ProtocolVersion.fromByte(buffer.getByte(buffer.readerIndex()))) {
            case SOCKS5 -> {
                pipeline.addLast("encoder", ENCODER);
                pipeline.addLast("init", new SocksInitRequestDecoder());
                pipeline.addLast("request", new Socks5Handler(connector));
            }
            case SOCKS4a -> {
                pipeline.addLast("encoder", ENCODER);
                pipeline.addLast("init", new Socks4RequestDecoder());
                pipeline.addLast("request", new Socks4Handler(connector));
            }
            case UNKNOWN -> {
                pipeline.addLast("codec", new HttpServerCodec());
                pipeline.addLast("request", new HttpConnectHandler(connector));
            }
        }
        pipeline.remove(this);
        return null;
    }
}
