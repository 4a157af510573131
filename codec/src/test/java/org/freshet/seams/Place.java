package org.freshet.seams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.spdy.DefaultSpdyDataFrame;
import org.freshet.handler.codec.spdy.SpdyDataFrame;
import org.freshet.handler.codec.spdy.SpdyFrameCodec;
import org.freshet.handler.codec.spdy.SpdySessionHandler;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.OrderedDownstreamThreadPoolExecutor;
import org.freshet.handler.execution.PipelinedAnswer;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.handler.proxy.Socks5ProxyHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;
import org.freshet.handler.traffic.GlobalChannelTrafficShapingHandler;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;

/** Where messages are queued before they are sent. Each builds the writer's pipeline, from the transport up. */
enum Place {
    TRANSPORT {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {}
    },
    ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast("encoder", new StringEncoder(ISO_8859_1));
        }
    },
    CHUNKS {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            addChunks(scene, pipeline);
        }
    },
    CHUNKS_ABOVE_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            ENCODER.build(scene, pipeline);
            addChunks(scene, pipeline);
        }
    },
    CHUNKS_BELOW_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            addChunks(scene, pipeline);
            ENCODER.build(scene, pipeline);
        }
    },
    CHANNEL_SHAPER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            addShaper(scene, pipeline, new ChannelTrafficShapingHandler(scene.timer(), scene.rate, 0));
        }
    },
    CHANNEL_SHAPER_ABOVE_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            ENCODER.build(scene, pipeline);
            CHANNEL_SHAPER.build(scene, pipeline);
        }
    },
    CHANNEL_SHAPER_BELOW_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            CHANNEL_SHAPER.build(scene, pipeline);
            ENCODER.build(scene, pipeline);
        }
    },
    GLOBAL_SHAPER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            addShaper(scene, pipeline, new GlobalTrafficShapingHandler(scene.timer(), scene.rate, 0));
        }
    },
    GLOBAL_SHAPER_ABOVE_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            ENCODER.build(scene, pipeline);
            GLOBAL_SHAPER.build(scene, pipeline);
        }
    },
    GLOBAL_SHAPER_BELOW_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            GLOBAL_SHAPER.build(scene, pipeline);
            ENCODER.build(scene, pipeline);
        }
    },
    GLOBAL_CHANNEL_SHAPER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            GlobalChannelTrafficShapingHandler shaper =
                    new GlobalChannelTrafficShapingHandler(scene.timer(), 0, 0, scene.rate, 0);
            scene.onLetGo(() -> shaper.configureChannel(0, 0));
            addShaper(scene, pipeline, shaper);
        }
    },
    GLOBAL_CHANNEL_SHAPER_ABOVE_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            ENCODER.build(scene, pipeline);
            GLOBAL_CHANNEL_SHAPER.build(scene, pipeline);
        }
    },
    GLOBAL_CHANNEL_SHAPER_BELOW_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            GLOBAL_CHANNEL_SHAPER.build(scene, pipeline);
            ENCODER.build(scene, pipeline);
        }
    },
    /** Not flushed until the peer reads. */
    BUFFERED {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            BufferedWriteHandler buffered = new BufferedWriteHandler();
            scene.onFlush(buffered::flush);
            pipeline.addLast("buffered", buffered);
        }
    },
    BUFFERED_ABOVE_ENCODER {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            ENCODER.build(scene, pipeline);
            BUFFERED.build(scene, pipeline);
        }
    },
    TLS {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast("tls", Scene.serverTls().newHandler());
        }
    },
    /** The peer reads nothing of the handshake. */
    TLS_UNFINISHED {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            TLS.build(scene, pipeline);
        }
    },
    /** Its threads are blocked by a handler below until the peer reads. */
    EXECUTOR {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            ExecutionHandler execution =
                    new ExecutionHandler(new OrderedDownstreamThreadPoolExecutor(2, 10, TimeUnit.SECONDS), true, false);
            scene.onEnd(execution::releaseExternalResources);
            CountDownLatch opening = new CountDownLatch(1);
            scene.onRead(opening::countDown);
            scene.onEnd(opening::countDown);
            pipeline.addLast("gate", new Gate(opening));
            pipeline.addLast("execution", execution);
        }
    },
    /** Compressed: the encoder keeps the order of several threads. */
    WEB_SOCKET {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast("codec", new HttpServerCodec());
            addWebSocket(scene, pipeline);
        }
    },
    /** Written by other code, during an answer that does not end until the peer reads. */
    PIPELINED {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            ExecutorService executor = Executors.newSingleThreadExecutor();
            scene.onEnd(executor::shutdown);
            pipeline.addLast("pipelined", new PipelinedExecutionHandler(executor, scene.timer()));
            pipeline.addLast("answers", new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    PipelinedAnswer answer = PipelinedAnswer.current().defer();
                    answer.write(ChannelBuffers.EMPTY_BUFFER);
                    scene.onLetGo(answer::end);
                    scene.onEnd(answer::end);
                    ctx.sendUpstream(e);
                }
            });
        }
    },
    /** Chunks of an answer. */
    HTTP_1_1 {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast("codec", new HttpServerCodec());
            pipeline.addLast("framer", new Framer(content -> new DefaultHttpChunk(content)));
        }
    },
    /** Chunks of an answer on one stream, whose peer grants no window. The writer is the stream. */
    HTTP_2_STREAM {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast(
                    "connection",
                    new Http2ServerHandler(() ->
                            Channels.pipeline(new Framer(content -> new DefaultHttpChunk(content)), scene.newWatch())));
        }
    },
    /** WebSocket frames on a stream that its peer does not read. The writer is the stream. */
    WEB_SOCKET_STREAM {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast(
                    "connection",
                    new Http2ServerHandler(
                            () -> {
                                ChannelPipeline stream = Channels.pipeline();
                                addWebSocket(scene, stream);
                                stream.addLast("watch", scene.newWatch());
                                return stream;
                            },
                            Http2Settings.defaults().toBuilder().webSocket(true).build()));
        }
    },
    /** Data on one stream, whose peer grants no window. */
    SPDY_STREAM {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast("codec", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
            pipeline.addLast("session", new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
            pipeline.addLast("framer", new Framer(content -> {
                SpdyDataFrame frame = new DefaultSpdyDataFrame(1);
                frame.setData(content);
                return frame;
            }));
        }
    },
    /** The proxy accepts the connection and sends nothing. The writer is a client. */
    PROXY {
        @Override
        void build(Scene scene, ChannelPipeline pipeline) {
            pipeline.addLast("proxy", new Socks5ProxyHandler(scene.proxyAddress()));
        }
    };

    /** Adds the handlers. */
    abstract void build(Scene scene, ChannelPipeline pipeline);

    boolean hasEncoder() {
        return name().endsWith("ENCODER");
    }

    boolean hasChunks() {
        return name().startsWith("CHUNKS");
    }

    boolean isShaper() {
        return name().contains("SHAPER");
    }

    /** Whether the peer sends a request first. */
    boolean isAsked() {
        return this == PIPELINED || isHttp() || this == SPDY_STREAM;
    }

    boolean isHttp() {
        return name().startsWith("HTTP");
    }

    /** Whether messages are parts of a stream that ends if one is missing. */
    boolean isStream() {
        return name().endsWith("STREAM");
    }

    /** Whether the writer is an HTTP/2 stream. */
    boolean isHttp2Stream() {
        return this == HTTP_2_STREAM || this == WEB_SOCKET_STREAM;
    }

    boolean isWebSocket() {
        return name().startsWith("WEB_SOCKET");
    }

    boolean isTls() {
        return name().startsWith("TLS");
    }

    /** Lets no message pass until it is opened. The executor's threads wait in it. */
    private static final class Gate extends SimpleChannelDownstreamHandler {
        private final CountDownLatch opening;

        Gate(CountDownLatch opening) {
            this.opening = opening;
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            opening.await();
            ctx.sendDownstream(e);
        }
    }

    /** Turns each buffer into a part of a message. */
    private static final class Framer extends SimpleChannelDownstreamHandler {
        private final Function<ChannelBuffer, Object> frames;

        Framer(Function<ChannelBuffer, Object> frames) {
            this.frames = frames;
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            Object message = e.getMessage() instanceof ChannelBuffer content ? frames.apply(content) : e.getMessage();
            Channels.write(ctx, e.getFuture(), message);
        }
    }

    private static void addWebSocket(Scene scene, ChannelPipeline pipeline) {
        pipeline.addLast(
                "webSocket",
                new WebSocketServerProtocolHandler(
                        WebSocketServerConfig.builder("/").timer(scene.timer()).build()));
    }

    private static void addChunks(Scene scene, ChannelPipeline pipeline) {
        pipeline.addLast("chunks", new ChunkedWriteHandler());
    }

    private static void addShaper(Scene scene, ChannelPipeline pipeline, AbstractTrafficShapingHandler shaper) {
        scene.onLetGo(() -> shaper.configure(0, 0));
        scene.onEnd(shaper::releaseExternalResources);
        pipeline.addLast("shaper", shaper);
    }
}
