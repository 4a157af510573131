package org.freshet.seams;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.WebSocketClientConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.spdy.DefaultSpdySettingsFrame;
import org.freshet.handler.codec.spdy.DefaultSpdySynStreamFrame;
import org.freshet.handler.codec.spdy.DefaultSpdyWindowUpdateFrame;
import org.freshet.handler.codec.spdy.SpdyFrameCodec;
import org.freshet.handler.codec.spdy.SpdySettingsFrame;
import org.freshet.handler.codec.spdy.SpdySynStreamFrame;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.freshet.util.HashedWheelTimer;

/**
 * One connection between a writer, with its messages in a {@link Place}, and a peer that reads nothing until {@link
 * #letGo()}. For one thread; pipelines are built on other threads.
 */
final class Scene implements AutoCloseable {
    /** The writer's transport. The peer of NIO and OIO uses NIO. */
    enum Transport {
        NIO,
        OIO,
        LOCAL
    }

    /** The length of the input in progress before the messages. */
    static final int HEAD_BYTES = 1024 * 1024;

    private static final int HEAD_CHUNK = 8 * 1024;
    private static final int SOCKET_BUFFER = 8 * 1024;

    /** A window large enough for everything that a test sends. */
    private static final int ALL_BYTES = 1 << 30;

    private static final AtomicInteger localNames = new AtomicInteger();

    /** The bytes per second that shapers allow. */
    final long rate;

    final Place place;
    final Collector collector;

    private final Transport transport;
    private final Rig rig;
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final List<Runnable> lettingGo = new CopyOnWriteArrayList<>();
    private final List<Runnable> readings = new CopyOnWriteArrayList<>();
    private final List<Runnable> flushes = new CopyOnWriteArrayList<>();
    private final Deque<Runnable> ends = new ConcurrentLinkedDeque<>();
    private final BlockingQueue<Channel> opened = new LinkedBlockingQueue<>();

    private ScriptedServer proxy;
    private Channel writer;

    /** Null if the peer is a script, as behind a proxy. */
    private Channel peer;

    Scene(Transport transport, Place place, Form form, long rate) {
        this.transport = transport;
        this.place = place;
        this.rate = rate;
        collector = new Collector(form, place.hasChunks() ? HEAD_BYTES : 0);
        rig = switch (transport) {
            case NIO -> new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory());
            case OIO -> new Rig(new OioServerSocketChannelFactory(), oioClientOf(place));
            case LOCAL -> new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
        };
    }

    private static ChannelFactory oioClientOf(Place place) {
        return place == Place.PROXY ? new OioClientSocketChannelFactory() : new NioClientSocketChannelFactory();
    }

    // ---- called by places -------------------------------------------------------------------------------------------

    HashedWheelTimer timer() {
        return timer;
    }

    SocketAddress proxyAddress() {
        return proxy.address();
    }

    /** Registers an action to run when the peer begins to read. */
    void onRead(Runnable action) {
        readings.add(action);
    }

    /** Registers an action to run when handlers should stop holding anything back. */
    void onLetGo(Runnable action) {
        lettingGo.add(action);
    }

    /** Registers an action to run repeatedly from then on. */
    void onFlush(Runnable action) {
        flushes.add(action);
    }

    /** Registers an action to run at the end, when the connection is closed. */
    void onEnd(Runnable action) {
        ends.push(action);
    }

    static SslContext serverTls() {
        return Tls.SERVER;
    }

    static SslContext clientTls() {
        return Tls.CLIENT;
    }

    /** Created when a test needs it. */
    private static final class Tls {
        static final SslContext SERVER;
        static final SslContext CLIENT;

        static {
            try {
                SelfSignedCertificate certificate = Certificates.named("localhost");
                SERVER = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                        .build();
                CLIENT = SslContextBuilder.forClient()
                        .trust(certificate.cert())
                        .verifyHostname(false)
                        .build();
            } catch (SSLException e) {
                throw new AssertionError(e);
            }
        }
    }

    // ---- the connection ---------------------------------------------------------------------------------------------

    /** Connects, and starts with the input if there is one. Returns the channel to write to. */
    Channel open(Map<String, Object> options) throws Exception {
        writer = place == Place.PROXY ? openThroughProxy(options) : openServer(options);
        if (place.hasChunks()) {
            writer.write(new Head());
            Await.until(() -> !writer.isWritable(), "the input to fill the channel");
        }
        return writer;
    }

    /** The server whose drain ends the writer. */
    Rig rig() {
        return rig;
    }

    private Channel openServer(Map<String, Object> options) throws Exception {
        options.forEach((name, value) -> rig.server().setOption("child." + name, value));
        if (transport != Transport.LOCAL) {
            rig.server().setOption("child.sendBufferSize", SOCKET_BUFFER);
            rig.client().setOption("receiveBufferSize", SOCKET_BUFFER);
        }
        rig.server().setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            place.build(this, pipeline);
            if (!place.isHttp2Stream()) {
                pipeline.addLast("watch", newWatch());
            }
            return pipeline;
        });
        SocketAddress address = transport == Transport.LOCAL
                ? new LocalAddress("seams-" + localNames.incrementAndGet())
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Channel server = rig.server().bind(address);
        if (place == Place.HTTP_2_STREAM) {
            connectRaw(server);
        } else if (place == Place.WEB_SOCKET_STREAM) {
            connectWebSocketStream(server);
        } else {
            connectPeer(server);
        }
        Channel accepted = opened.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (place == Place.TLS) {
            Await.success(accepted.getPipeline().get(SslHandler.class).handshake(), "the server's handshake");
        }
        return accepted;
    }

    private void connectPeer(Channel server) throws Exception {
        rig.client().setPipelineFactory(this::peerPipeline);
        peer = Await.success(rig.client().connect(server.getLocalAddress()), "the connection")
                .getChannel();
        if (place == Place.TLS) {
            Await.success(peer.getPipeline().get(SslHandler.class).handshake(), "the client's handshake");
        } else if (place == Place.WEB_SOCKET) {
            Await.success(
                    peer.getPipeline().get(WebSocketClientProtocolHandler.class).handshakeFuture(), "the upgrade");
        }
        Await.success(peer.setReadable(false), "the peer's end of reading");
        if (place.isAsked()) {
            ask(peer);
        }
    }

    /** The peer's connection is read, so only its stream's window blocks the writer. */
    private void connectWebSocketStream(Channel server) throws Exception {
        Http2Settings small = Http2Settings.defaults().toBuilder()
                .initialWindowSize(SOCKET_BUFFER)
                .maxWindowSize(SOCKET_BUFFER)
                .build();
        rig.client().setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler(small)));
        peer = Await.success(rig.client().connect(server.getLocalAddress()), "the connection")
                .getChannel();
        WebSocketClientProtocolHandler webSocket = newWebSocketClient();
        Channel stream = Http2ClientConnection.of(peer)
                .open(Channels.pipeline(webSocket, collector))
                .getChannel();
        Await.success(webSocket.handshakeFuture(), "the upgrade");
        Await.success(stream.setReadable(false), "the peer's end of reading");
        onRead(() -> stream.setReadable(true));
    }

    private WebSocketClientProtocolHandler newWebSocketClient() {
        return new WebSocketClientProtocolHandler(WebSocketClientConfig.builder(URI.create("ws://localhost/"))
                .timer(timer)
                .build());
    }

    private void ask(Channel from) {
        if (place == Place.SPDY_STREAM) {
            SpdySettingsFrame noWindow = new DefaultSpdySettingsFrame();
            noWindow.setValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE, 0);
            from.write(noWindow);
            SpdySynStreamFrame first = new DefaultSpdySynStreamFrame(1, 0, (byte) 0);
            first.headers().add("name", "value");
            from.write(first);
            onRead(() -> {
                from.write(new DefaultSpdyWindowUpdateFrame(0, ALL_BYTES));
                from.write(new DefaultSpdyWindowUpdateFrame(1, ALL_BYTES));
            });
        } else if (place == Place.HTTP_1_1) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            HttpHeaders.setHost(request, "a");
            from.write(request);
        } else {
            from.write(ChannelBuffers.wrappedBuffer(new byte[1]));
        }
    }

    /** A peer that grants window as it reads. */
    private void connectRaw(Channel server) throws IOException {
        ScriptedPeer raw = ScriptedPeer.connect(server.getLocalAddress(), SOCKET_BUFFER);
        RawHttp2 client = new RawHttp2(raw.socket(), 0);
        client.get(1);
        Thread script = new Thread(() -> readRaw(client), "peer");
        onRead(script::start);
        ends.push(() -> {
            close(raw);
            Await.end(script);
        });
    }

    private void readRaw(RawHttp2 client) {
        try {
            client.allow(1, ALL_BYTES);
            client.readAll(content -> collector.receive(ChannelBuffers.wrappedBuffer(content)));
        } catch (IOException closed) {
            // the test compares the received bytes
        }
    }

    private ChannelPipeline peerPipeline() {
        ChannelPipeline pipeline = Channels.pipeline();
        if (place == Place.TLS_UNFINISHED) {
            pipeline.addLast("deaf", new DeafFromTheStart());
        }
        if (place.isTls()) {
            pipeline.addLast("tls", clientTls().newHandler());
        } else if (place == Place.WEB_SOCKET) {
            pipeline.addLast("codec", new HttpClientCodec());
            pipeline.addLast("webSocket", newWebSocketClient());
        }
        if (place == Place.HTTP_1_1) {
            pipeline.addLast("codec", new HttpClientCodec());
        } else if (place == Place.SPDY_STREAM) {
            pipeline.addLast("codec", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
        }
        pipeline.addLast("collector", collector);
        return pipeline;
    }

    private Channel openThroughProxy(Map<String, Object> options) throws IOException {
        proxy = ScriptedServer.listen(SOCKET_BUFFER);
        options.forEach(rig.client()::setOption);
        rig.client().setOption("sendBufferSize", SOCKET_BUFFER);
        rig.client().setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            place.build(this, pipeline);
            pipeline.addLast("watch", new Watch());
            return pipeline;
        });
        ChannelFuture connecting = rig.client().connect(InetSocketAddress.createUnresolved("target.invalid", 443));
        ScriptedPeer proxied = proxy.accept();
        Thread script = new Thread(() -> serveAsProxy(proxied), "proxy");
        onRead(script::start);
        ends.push(() -> {
            close(proxied);
            Await.end(script);
        });
        return connecting.getChannel();
    }

    private void serveAsProxy(ScriptedPeer proxied) {
        try {
            proxied.read(3);
            proxied.send(new byte[] {5, 0});
            proxied.read(4 + 1 + "target.invalid".length() + 2);
            proxied.send(new byte[] {5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
            byte[] block = new byte[HEAD_CHUNK];
            for (int read = 0;
                    read >= 0;
                    read = proxied.socket().getInputStream().read(block)) {
                collector.receive(ChannelBuffers.copiedBuffer(block, 0, read));
            }
        } catch (IOException | AssertionError closed) {
            // the test compares the received bytes
        }
    }

    private static void close(ScriptedPeer proxied) {
        try {
            proxied.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** After {@link #letGo}: passes on what is held only until it is flushed. */
    void flush() {
        flushes.forEach(Runnable::run);
    }

    /** The peer begins to read. */
    void read() {
        readings.forEach(Runnable::run);
        if (peer != null) {
            peer.setReadable(true);
        }
    }

    /** The peer begins to read, and handlers no longer hold anything back. */
    void letGo() {
        lettingGo.forEach(Runnable::run);
        read();
    }

    /** The channel that closes if too much is queued: the writer's, or the connection of the writer's stream. */
    Channel connection() {
        return writer.getParent() instanceof SocketChannel connection ? connection : writer;
    }

    /** Waits until all that was sent has been received. */
    void awaitPeerClosed() {
        Await.done(peer.getCloseFuture(), "the end of the peer's connection");
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
        if (peer != null) {
            peer.close();
        }
        if (proxy != null) {
            try {
                proxy.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        ends.forEach(Runnable::run);
        rig.close();
        timer.stop();
    }

    ChannelHandler newWatch() {
        return new Watch();
    }

    /** Knows the writer's channel, and ignores failures that are part of the test. */
    private final class Watch extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (!place.isAsked()) {
                opened.add(ctx.getChannel());
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (place.isHttp()) {
                HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                head.setChunked(true);
                HttpHeaders.setTransferEncodingChunked(head);
                e.getChannel().write(head);
            }
            if (place.isAsked() && !(e.getMessage() instanceof SpdySettingsFrame)) {
                opened.add(e.getChannel());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private static final class DeafFromTheStart extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.getChannel().setReadable(false);
            ctx.sendUpstream(e);
        }
    }

    /** In progress until the peer reads. Used by the {@link ChunkedWriteHandler}'s thread at the time. */
    private static final class Head implements ChunkedInput {
        private int givenBytes;

        @Override
        public boolean hasNextChunk() {
            return givenBytes < HEAD_BYTES;
        }

        @Override
        public Object nextChunk() {
            givenBytes += HEAD_CHUNK;
            return ChannelBuffers.wrappedBuffer(new byte[HEAD_CHUNK]);
        }

        @Override
        public boolean isEndOfInput() {
            return !hasNextChunk();
        }

        @Override
        public void close() {}
    }
}
