package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.HashMap;
import java.util.Map;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's WebSockets. */
final class Netty4WebSockets implements WebSocketServing {
    private static final int MAX_FRAME_BYTES = 1 << 24;

    private final Channel[] channels;
    private final ChannelGroup group = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);
    private final boolean echoes;
    private int next;
    private long receivedBytes;
    private long sentBytes;

    Netty4WebSockets(Setting setting) {
        echoes = setting.echoes();
        channels = new Channel[setting.connections()];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = Netty4Channel.create();
            channels[i]
                    .pipeline()
                    .addLast(new SentCounter())
                    .addLast(new WebSocket13FrameDecoder(true, setting.deflates(), MAX_FRAME_BYTES))
                    .addLast(new WebSocket13FrameEncoder(false));
            if (setting.deflates()) {
                WebSocketServerExtension extension = deflate();
                channels[i]
                        .pipeline()
                        .addLast(extension.newExtensionDecoder())
                        .addLast(extension.newExtensionEncoder());
            }
            channels[i].pipeline().addLast(new Utf8FrameValidator()).addLast(new Handler());
            group.add(channels[i]);
        }
    }

    private static WebSocketServerExtension deflate() {
        Map<String, String> offer = new HashMap<>();
        offer.put("server_no_context_takeover", null);
        offer.put("client_no_context_takeover", null);
        return new PerMessageDeflateServerExtensionHandshaker(6, false, 15, true, true, 0)
                .handshakeExtension(new WebSocketExtensionData("permessage-deflate", offer));
    }

    @Override
    public void receive(byte[] frame) {
        Channel channel = channels[next];
        channel.pipeline()
                .fireChannelRead(channel.alloc().ioBuffer(frame.length).writeBytes(frame))
                .fireChannelReadComplete();
        next = (next + 1) % channels.length;
    }

    @Override
    public void broadcast(String text) {
        group.write(new TextWebSocketFrame(text));
    }

    @Override
    public long receivedBytes() {
        return receivedBytes;
    }

    @Override
    public long sentBytes() {
        return sentBytes;
    }

    private final class SentCounter extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ByteBuf bytes = (ByteBuf) message;
            sentBytes += bytes.readableBytes();
            bytes.release();
            promise.setSuccess();
        }
    }

    private final class Handler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            WebSocketFrame frame = (WebSocketFrame) message;
            receivedBytes += frame.content().readableBytes();
            if (echoes) {
                context.write(frame);
            } else {
                frame.release();
            }
        }
    }
}
