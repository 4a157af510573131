package org.freshet.microbench.codec;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.websocketx.PerMessageDeflate;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import org.freshet.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import org.freshet.handler.codec.http.websocketx.WebSocketExtension;
import org.freshet.handler.codec.http.websocketx.WebSocketExtensionSpec;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's WebSockets. */
final class FreshetWebSockets implements WebSocketServing {
    private final Channel[] channels;
    private final ChannelGroup group = new DefaultChannelGroup();
    private final boolean echoes;
    private int next;
    private long receivedBytes;
    private long sentBytes;

    FreshetWebSockets(Setting setting) {
        echoes = setting.echoes();
        channels = new Channel[setting.connections()];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = new FreshetChannel(pipeline(setting.deflates() ? List.of(deflate()) : List.of()));
            group.add(channels[i]);
        }
    }

    private static WebSocketExtension deflate() {
        return PerMessageDeflate.defaults()
                .accept(new WebSocketExtensionSpec("permessage-deflate"), HttpLimits.defaults())
                .extension();
    }

    private ChannelPipeline pipeline(List<WebSocketExtension> extensions) {
        return Channels.pipeline(
                new SentCounter(),
                new WebSocket13FrameDecoder(true, false, HttpLimits.defaults(), extensions),
                new WebSocket13FrameEncoder(false, extensions),
                new Handler());
    }

    @Override
    public void receive(byte[] frame) {
        ChannelBuffer read = ChannelBuffers.buffer(frame.length);
        read.writeBytes(frame);
        Channels.fireMessageReceived(channels[next], read);
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

    private final class SentCounter extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
            sentBytes += ((ChannelBuffer) event.getMessage()).readableBytes();
            event.getFuture().setSuccess();
        }
    }

    private final class Handler extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            WebSocketFrame frame = (WebSocketFrame) event.getMessage();
            receivedBytes += frame.getBinaryData().readableBytes();
            if (echoes) {
                event.getChannel().write(frame);
            }
        }
    }
}
