package org.freshet.testkit.matrix;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibEncoder;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldPrepender;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpContentDecompressor;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http.server.LingeringCloseHandler;
import org.freshet.handler.codec.http.websocketx.PerMessageDeflate;
import org.freshet.handler.codec.http.websocketx.WebSocketClientConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketExtensionNegotiator;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolDecoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolEncoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolVersion;
import org.freshet.handler.codec.spdy.SpdyFrameCodec;
import org.freshet.handler.codec.spdy.SpdySessionHandler;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.handler.codec.stomp.StompFrameDecoder;
import org.freshet.handler.codec.stomp.StompFrameEncoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.handler.proxy.Socks5ProxyHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.timeout.IdleStateHandler;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.handler.timeout.WriteTimeoutException;
import org.freshet.handler.timeout.WriteTimeoutHandler;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;

/**
 * A part of a pipeline: what it adds on the writer's side and, mirrored, on the reader's. Its layer and its kinds of
 * messages determine what it can be placed on; see {@link Combination}.
 */
enum Part {
    // ---- parts that set up the connection ---------------------------------------------------------------------------

    /** The writer is a client whose connection goes through a proxy, which the reader plays. */
    PROXY(Layer.CONNECTION, Kind.BYTES, Kind.BYTES) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            Socks5ProxyHandler proxy = new Socks5ProxyHandler(site.proxyAddress());
            proxy.setConnectTimeout(Duration.ZERO);
            pipeline.addLast("proxy", proxy);
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("proxy", new SocksScript());
        }
    },
    /** The reader is a load balancer, which sends the client's address. */
    PROXY_PROTOCOL(Layer.CONNECTION, Kind.BYTES, Kind.BYTES) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            ProxyProtocolSettings settings = ProxyProtocolSettings.trusting("0.0.0.0/0", "::/0")
                    .withNonIpPeers()
                    .withTimeout(Duration.ofMinutes(LONG_MINUTES));
            pipeline.addLast("proxyProtocol", new ProxyProtocolDecoder(settings, site.timer()));
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            ProxyProtocolHeader header = ProxyProtocolHeader.proxied(
                    new InetSocketAddress("198.51.100.7", 4711), new InetSocketAddress("203.0.113.1", 443));
            pipeline.addLast("proxyProtocol", new ProxyProtocolEncoder(ProxyProtocolVersion.V2, header, true));
        }
    },
    /** The server's bootstrap, used by the writer. */
    ACCEPT_GUARD(Layer.CONNECTION, Kind.BYTES, Kind.BYTES) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {}
    },

    // ---- bytes to bytes ---------------------------------------------------------------------------------------------

    TLS(Layer.CODEC, Kind.BYTES, Kind.BYTES) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("tls", tls(site.writerConnects()));
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("tls", tls(!site.writerConnects()));
        }

        private SslHandler tls(boolean isClient) {
            return isClient ? TlsContexts.CLIENT.newHandler("localhost", 443) : TlsContexts.SERVER.newHandler();
        }
    },
    FRAMES(Layer.CODEC, Kind.BYTES, Kind.BYTES) {
        private static final int LENGTH_BYTES = 4;

        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("prepender", new LengthFieldPrepender(LENGTH_BYTES));
            pipeline.addLast("frames", new LengthFieldBasedFrameDecoder(1 << 20, 0, LENGTH_BYTES, 0, LENGTH_BYTES));
        }
    },
    ZLIB(Layer.CODEC, Kind.BYTES, Kind.BYTES) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("deflater", new ZlibEncoder());
            pipeline.addLast("inflater", new ZlibDecoder());
        }
    },

    // ---- bytes to messages ------------------------------------------------------------------------------------------

    STRINGS(Layer.CODEC, Kind.BYTES, Kind.TEXT) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("encoder", new StringEncoder(ISO_8859_1));
            pipeline.addLast("decoder", new StringDecoder(ISO_8859_1));
        }
    },
    HTTP(Layer.CODEC, Kind.BYTES, Kind.HTTP) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("codec", new HttpServerCodec());
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("codec", new HttpClientCodec());
        }
    },
    /** The requests are complete. */
    HTTP_AGGREGATED(Layer.CODEC, Kind.BYTES, Kind.HTTP) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            HTTP.addToWriter(site, pipeline);
            pipeline.addLast("aggregator", new HttpChunkAggregator(MAX_REQUEST_BYTES));
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            HTTP.addToReader(site, pipeline);
        }
    },
    HTTP_COMPRESSED(Layer.CODEC, Kind.BYTES, Kind.HTTP) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            HTTP.addToWriter(site, pipeline);
            pipeline.addLast("compressor", new HttpContentCompressor());
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            HTTP.addToReader(site, pipeline);
            pipeline.addLast("decompressor", new HttpContentDecompressor());
        }
    },
    /** Everything before the application in an HTTP/1.1 server. */
    HTTP_SERVER(Layer.CODEC, Kind.BYTES, Kind.HTTP) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> above) {
            HttpServerPipeline.Builder builder = HttpServerPipeline.builder(site.timer())
                    .aggregate(MAX_REQUEST_BYTES)
                    .timeouts(HttpTimeouts.defaults().withMinRate(1, SLOW_INTERVAL))
                    .compress(CompressionRules.defaults());
            ChannelPipeline application = Channels.pipeline();
            above.accept(application);
            application.toMap().forEach((name, handler) -> builder.handler("application-" + name, () -> handler));
            moveAll(builder.build().getPipeline(), pipeline);
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            HTTP_COMPRESSED.addToReader(site, pipeline);
        }
    },
    /** One stream, which is the channel of the parts above. */
    HTTP_2(Layer.CODEC, Kind.BYTES, Kind.HTTP) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> above) {
            pipeline.addLast(
                    "lingeringClose",
                    new LingeringCloseHandler(site.timer())); // otherwise unread frames reset the connection
            pipeline.addLast(
                    "http2",
                    new Http2ServerHandler(
                            () -> {
                                ChannelPipeline stream = Channels.pipeline();
                                above.accept(stream);
                                return stream;
                            },
                            site.http2()));
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> above) {
            pipeline.addLast("http2", new Http2ClientHandler(site.http2()));
            pipeline.addLast("opener", new SimpleChannelUpstreamHandler() {
                @Override
                public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                    ChannelPipeline stream = Channels.pipeline();
                    above.accept(stream);
                    Http2ClientConnection.of(e.getChannel()).open(stream);
                }
            });
        }
    },
    WEB_SOCKET(Layer.CODEC, Kind.BYTES, Kind.FRAMES) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            addWebSocketServer(site, pipeline, PerMessageDeflate.defaults());
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            addWebSocketClient(site, pipeline, PerMessageDeflate.defaults());
        }
    },
    WEB_SOCKET_PLAIN(Layer.CODEC, Kind.BYTES, Kind.FRAMES) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            addWebSocketServer(site, pipeline);
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            addWebSocketClient(site, pipeline);
        }
    },
    SPDY(Layer.CODEC, Kind.BYTES, Kind.SPDY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            add(site, pipeline, true);
        }

        @Override
        void addToReader(Site site, ChannelPipeline pipeline) {
            add(site, pipeline, false);
        }

        private void add(Site site, ChannelPipeline pipeline, boolean isServer) {
            pipeline.addLast("codec", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
            pipeline.addLast(
                    "session", new SpdySessionHandler(SpdyVersion.SPDY_3_1, isServer, site.spdy(), site.timer()));
        }
    },
    STOMP(Layer.CODEC, Kind.BYTES, Kind.STOMP) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("decoder", new StompFrameDecoder());
            pipeline.addLast("encoder", new StompFrameEncoder());
        }
    },

    // ---- whatever the messages are ----------------------------------------------------------------------------------

    /** With an input before the messages, if the parts above let one through. */
    CHUNKS(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("chunks", new ChunkedWriteHandler());
        }
    },
    CHANNEL_SHAPER(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            ChannelTrafficShapingHandler shaper =
                    new ChannelTrafficShapingHandler(site.timer(), site.bytesPerSecond(), 0, 0);
            shaper.setMaxWriteSize(site.shaperBytes());
            pipeline.addLast("channelShaper", shaper);
        }
    },
    GLOBAL_SHAPER(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("globalShaper", site.globalShaper());
        }
    },
    GLOBAL_CHANNEL_SHAPER(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("globalChannelShaper", site.globalChannelShaper());
        }
    },
    /** Flushed soon after each write. */
    BUFFERED(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            BufferedWriteHandler buffered = new BufferedWriteHandler();
            pipeline.addLast("buffered", buffered);
            pipeline.addLast("flushing", new Flushing(site.timer(), buffered));
        }
    },
    /** A user of the simulation runs the events of both directions, in order. */
    EXECUTION(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("execution", new ExecutionHandler(site.executor(), true, true));
        }
    },
    PIPELINED(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("pipelined", new PipelinedExecutionHandler(site.executor(), site.timer()));
        }
    },
    /** Closes the connection. */
    WRITE_TIMEOUT(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("writeTimeout", new WriteTimeoutHandler(site.timer(), LONG_MINUTES, TimeUnit.MINUTES));
            pipeline.addLast("closer", new SimpleChannelUpstreamHandler() {
                @Override
                public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                    if (e.getCause() instanceof WriteTimeoutException) {
                        e.getChannel().close();
                    }
                    ctx.sendUpstream(e);
                }
            });
        }
    },
    READ_TIMEOUT(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("readTimeout", new ReadTimeoutHandler(site.timer(), LONG_MINUTES, TimeUnit.MINUTES));
        }
    },
    IDLE(Layer.ANY) {
        @Override
        void addToWriter(Site site, ChannelPipeline pipeline) {
            pipeline.addLast("idle", new IdleStateHandler(site.timer(), 1, 1, 1, TimeUnit.MINUTES));
        }
    };

    /** Where a part can be placed. */
    enum Layer {
        /** Directly on the transport. */
        CONNECTION,
        /** On the part that provides its kind of messages. */
        CODEC,
        /** Anywhere. */
        ANY
    }

    private static final int MAX_REQUEST_BYTES = 1024;

    /** Time for a slow peer to read something. */
    private static final Duration SLOW_INTERVAL = Duration.ofMinutes(10);

    /** Longer than any run with a peer that reads. */
    private static final int LONG_MINUTES = 30;

    final Layer layer;

    /** Null if any kind passes unchanged. */
    final Kind below;

    /** Null under the same condition as {@link #below}. */
    final Kind above;

    Part(Layer layer) {
        this(layer, null, null);
    }

    Part(Layer layer, Kind below, Kind above) {
        this.layer = layer;
        this.below = below;
        this.above = above;
    }

    /** Adds the handlers of the writer's side. */
    void addToWriter(Site site, ChannelPipeline pipeline) {
        throw new UnsupportedOperationException(name());
    }

    /** Adds the handlers of the reader's side: by default the same for a codec, and none for others. */
    void addToReader(Site site, ChannelPipeline pipeline) {
        if (layer == Layer.CODEC) {
            addToWriter(site, pipeline);
        }
    }

    /** @param above adds the handlers above, up to the application */
    void addToWriter(Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> above) {
        addToWriter(site, pipeline);
        above.accept(pipeline);
    }

    /** @param above as for the writer */
    void addToReader(Site site, ChannelPipeline pipeline, Consumer<ChannelPipeline> above) {
        addToReader(site, pipeline);
        above.accept(pipeline);
    }

    /** Whether files can be written above as regions, which parts that transform bytes cannot process. */
    boolean passesRegions() {
        return layer != Layer.CODEC && this != PIPELINED;
    }

    private static void moveAll(ChannelPipeline from, ChannelPipeline to) {
        for (String name : from.getNames()) {
            ChannelHandler handler = from.get(name);
            to.addLast(name, handler);
        }
    }

    private static void addWebSocketServer(
            Site site, ChannelPipeline pipeline, WebSocketExtensionNegotiator... extensions) {
        pipeline.addLast("codec", new HttpServerCodec());
        WebSocketServerConfig.Builder config = WebSocketServerConfig.builder("/");
        configure(site, config, extensions);
        pipeline.addLast("webSocket", new WebSocketServerProtocolHandler(config.build()));
    }

    private static void addWebSocketClient(
            Site site, ChannelPipeline pipeline, WebSocketExtensionNegotiator... extensions) {
        pipeline.addLast("codec", new HttpClientCodec());
        WebSocketClientConfig.Builder config =
                WebSocketClientConfig.builder(URI.create(site.hasTls() ? "wss://localhost/" : "ws://localhost/"));
        configure(site, config, extensions);
        pipeline.addLast("webSocket", new WebSocketClientProtocolHandler(config.build()));
    }

    private static void configure(
            Site site, WebSocketConfig.Builder<?> config, WebSocketExtensionNegotiator... extensions) {
        config.timer(site.timer());
        config.handshakeTimeout(Duration.ZERO);
        config.extensions(extensions);
    }
}
