package org.freshet.microbench.compare.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import org.freshet.microbench.compare.load.HttpDialect;

/**
 * The two ways to serve HTTP/2 with Netty 4.2: a channel per stream with HTTP objects, as its guide recommends, or
 * frames for a single listener, the cheapest way.
 */
final class Netty4Http2 {
    /** The option for serving frames. */
    static final String FRAMES = "frames";

    private final boolean counts;
    private final boolean servesFrames;
    private final byte[] content;

    Netty4Http2(Assignment assignment) {
        counts = assignment.has("body");
        servesFrames = assignment.has(FRAMES);
        content = HttpDialect.content(assignment.number("answer"));
    }

    void addTo(ChannelPipeline pipeline) {
        if (servesFrames) {
            pipeline.addLast(new FramesBuilder().build());
        } else {
            pipeline.addLast(Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(new Streams()));
        }
    }

    private final class Streams extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel stream) {
            stream.pipeline()
                    .addLast(
                            new Http2StreamFrameToHttpObjectCodec(true),
                            counts ? new Netty4Pipelines.Counting() : new Netty4Pipelines.Answering(content));
        }
    }

    private final class FramesBuilder extends AbstractHttp2ConnectionHandlerBuilder<Frames, FramesBuilder> {
        private final Listener listener = new Listener();

        FramesBuilder() {
            frameListener(listener);
        }

        @Override
        protected Frames build() {
            return super.build();
        }

        @Override
        protected Frames build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
            listener.encoder = encoder;
            listener.received = encoder.connection().newKey();
            return new Frames(decoder, encoder, initialSettings);
        }
    }

    private static final class Frames extends Http2ConnectionHandler {
        Frames(Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
            super(decoder, encoder, initialSettings);
        }
    }

    private final class Listener extends Http2FrameAdapter {
        private Http2ConnectionEncoder encoder;
        private Http2Connection.PropertyKey received;

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int streamId,
                Http2Headers headers,
                int streamDependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endOfStream) {
            onHeadersRead(context, streamId, headers, padding, endOfStream);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context, int streamId, Http2Headers headers, int padding, boolean endOfStream) {
            if (endOfStream) {
                answer(context, streamId, content);
            }
        }

        @Override
        public int onDataRead(
                ChannelHandlerContext context, int streamId, ByteBuf data, int padding, boolean endOfStream) {
            int length = data.readableBytes();
            var stream = encoder.connection().stream(streamId);
            Integer before = stream.getProperty(received);
            int sum = (before == null ? 0 : before) + length;
            if (endOfStream) {
                answer(context, streamId, HttpDialect.countOf(sum));
            } else {
                stream.setProperty(received, sum);
            }
            return length + padding;
        }

        /** The handler flushes once per read batch. */
        private void answer(ChannelHandlerContext context, int streamId, byte[] bytes) {
            Http2Headers head = new DefaultHttp2Headers(false)
                    .status("200")
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpDialect.CONTENT_TYPE)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
            encoder.writeHeaders(context, streamId, head, 0, false, context.newPromise());
            encoder.writeData(context, streamId, Unpooled.wrappedBuffer(bytes), 0, true, context.newPromise());
        }
    }
}
