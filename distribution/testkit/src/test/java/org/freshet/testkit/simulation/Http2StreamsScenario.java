package org.freshet.testkit.simulation;

import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.CloseWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketClientConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketHandshakeEvent;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.*;

/**
 * Streams with content in both directions in pieces, while something disturbs them: each is complete, or its end has a
 * known cause.
 */
final class Http2StreamsScenario implements Scenario {
    enum Disturbance {
        /** Handlers on both sides suspend reading, and resume it as a user. */
        SUSPENDED_READING,
        /** One side drains the connection while streams are open and others are being opened. */
        GOAWAY,
        /** One side resets streams. */
        RESETS,
        /** The streams are WebSocket connections, and reading is suspended. */
        WEB_SOCKET
    }

    private static final int PORT = 80;
    private static final Duration ANY_TIME = Duration.ofDays(300);

    private final Disturbance disturbance;
    private Simulation simulation;
    private Watch client;
    private Asker[] askers;
    private Http2ServerHandler server;

    /** By stream number. */
    private boolean[] wasReset;

    Http2StreamsScenario(Disturbance disturbance) {
        this.disturbance = disturbance;
    }

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        askers = new Asker[simulation.draw().between(1, 6)];
        wasReset = new boolean[askers.length];
        client = simulation.watch("client");
        Http2Settings settings = settings();
        simulation.step(
                0,
                () -> simulation
                        .server(() -> {
                            server = new Http2ServerHandler(this::served, settings);
                            return simulation.pipeline("accepted", server);
                        })
                        .bindAsync(Simulation.address(PORT))
                        .addListener(bound -> simulation.step(1, () -> connect(settings))));
    }

    /** Small windows, all of which unread streams may use, and no time limits: a run may take any amount of time. */
    private Http2Settings settings() {
        Draw draw = simulation.draw();
        return Http2Settings.defaults().toBuilder()
                .initialWindowSize(simulation.isLarge() ? 10_000 : draw.between(1, 200))
                .maxUnreadBytes(draw.below(2) * 100)
                .webSocket(true)
                .timeouts(new Http2Timeouts(
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO))
                .timer(simulation.timer())
                .build();
    }

    private void connect(Http2Settings settings) {
        simulation
                .client(() -> Simulation.pipeline(client, new Http2ClientHandler(settings), new Opener()))
                .connect(Simulation.address(PORT));
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        for (Asker asker : askers) {
            simulation.require(
                    client.isBroken() || asker != null && asker.isOver(),
                    client + ": stream " + asker + " is not over, with " + disturbance);
        }
        return false;
    }

    private int user() {
        return simulation.draw().below(Simulation.USERS);
    }

    private int size(int number) {
        return number * (simulation.isLarge() ? 9_000 : 90);
    }

    /** Sometimes suspends reading until a user resumes it. */
    private void maySuspend(Channel channel) {
        boolean suspends = disturbance == Disturbance.SUSPENDED_READING || disturbance == Disturbance.WEB_SOCKET;
        if (suspends && simulation.draw().below(3) == 0) {
            channel.setReadable(false);
            simulation.step(user(), () -> channel.setReadable(true));
        }
    }

    private void mayReset(Channel channel, int number) {
        if (disturbance == Disturbance.RESETS && simulation.draw().below(8) == 0) {
            wasReset[number] = true;
            ((Http2StreamChannel) channel).reset(Http2Error.INTERNAL_ERROR);
        }
    }

    /** Opens the streams, and drains the connection of one side. */
    private final class Opener extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            Http2ClientConnection connection = Http2ClientConnection.of(e.getChannel());
            for (int i = 0; i < askers.length; i++) {
                int number = i;
                simulation.step(user(), () -> open(connection, number));
            }
            if (disturbance == Disturbance.GOAWAY) {
                boolean isClients = simulation.draw().below(2) == 0;
                simulation.step(user(), isClients || server == null ? connection::drain : server::drain);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            simulation.require(client.isBroken(), "the connection fails: " + e.getCause());
        }

        private void open(Http2ClientConnection connection, int number) {
            Asker asker = new Asker(number);
            askers[number] = asker;
            connection.open(asker.pipeline()).addListener(opened -> {
                asker.isRefused |= !opened.isSuccess();
                if (opened.isSuccess() && disturbance != Disturbance.WEB_SOCKET) {
                    asker.ask(opened.getChannel());
                }
            });
        }
    }

    /** A client's stream. */
    private final class Asker extends SimpleChannelUpstreamHandler {
        private final int number;
        private int received;
        private boolean isWhole;
        private boolean isRefused;
        private boolean isClosed;

        private Asker(int number) {
            this.number = number;
        }

        private ChannelPipeline pipeline() {
            if (disturbance == Disturbance.WEB_SOCKET) {
                return Channels.pipeline(
                        new WebSocketClientProtocolHandler(WebSocketClientConfig.builder(URI.create("ws://simulated/"))
                                .handshakeTimeout(ANY_TIME)
                                .closeTimeout(ANY_TIME)
                                .timer(simulation.timer())
                                .build()),
                        this);
            }
            return Channels.pipeline(this);
        }

        private boolean isOver() {
            return isWhole && isClosed || isRefused || wasReset[number];
        }

        @Override
        public String toString() {
            return number + " (" + received + " of " + size(number) + (isClosed ? ", closed" : "")
                    + (isWhole ? ", whole" : "") + ")";
        }

        private void ask(Channel stream) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/" + number);
            request.headers().set("Host", "simulated");
            request.setChunked(true);
            stream.write(request);
            sendPieces(piece -> stream.write(new DefaultHttpChunk(piece)));
            simulation.step(0, () -> stream.write(HttpChunk.LAST_CHUNK));
        }

        private void sendPieces(Consumer<ChannelBuffer> send) {
            for (int sent = 0; sent < size(number); ) {
                int count = simulation.draw().between(1, size(number) - sent);
                ChannelBuffer piece = ChannelBuffers.wrappedBuffer(Pattern.bytes(number + sent, count));
                simulation.step(0, () -> send.accept(piece));
                sent += count;
            }
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof WebSocketHandshakeEvent) {
                Channel stream = e.getChannel();
                sendPieces(piece -> stream.write(new BinaryWebSocketFrame(piece)));
                mayEndWebSocket(stream);
            }
            super.handleUpstream(ctx, e);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Channel stream = e.getChannel();
            if (e.getMessage() instanceof HttpChunk chunk) {
                take(chunk.getContent());
                isWhole = chunk.isLast();
                simulation.require(!isWhole || received == size(number), "stream " + this + " ends early");
            } else if (e.getMessage() instanceof BinaryWebSocketFrame frame) {
                take(frame.getBinaryData());
                mayEndWebSocket(stream);
            }
            maySuspend(stream);
            mayReset(stream, number);
        }

        private void take(ChannelBuffer content) {
            received += content.readableBytes();
            Pattern.check(simulation, content, number + received - content.readableBytes());
        }

        private void mayEndWebSocket(Channel stream) {
            if (received == size(number)) {
                isWhole = true;
                stream.write(new CloseWebSocketFrame(1000, ""));
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            isClosed = true;
            CloseReason reason = e.getChannel().getCloseReason();
            isRefused |= disturbance == Disturbance.GOAWAY && reason.kind() == CloseReason.Kind.REFUSED;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            simulation.require(client.isBroken() || wasReset[number], "stream " + this + " fails: " + e.getCause());
        }
    }

    private ChannelPipeline served() {
        return disturbance == Disturbance.WEB_SOCKET
                ? Channels.pipeline(
                        new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/")
                                .handshakeTimeout(ANY_TIME)
                                .closeTimeout(ANY_TIME)
                                .timer(simulation.timer())
                                .build()),
                        new Echo())
                : Channels.pipeline(new Echo());
    }

    /** A server's stream: echoes each piece as it arrives. */
    private final class Echo extends SimpleChannelUpstreamHandler {
        private int number = -1;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Channel stream = e.getChannel();
            if (e.getMessage() instanceof HttpRequest request) {
                number = Integer.parseInt(request.getUri().substring(1));
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.setChunked(true);
                stream.write(response);
                mayReset(stream, number);
            } else if (e.getMessage() instanceof HttpChunk || e.getMessage() instanceof BinaryWebSocketFrame) {
                stream.write(e.getMessage());
            }
            maySuspend(stream);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            simulation.require(
                    client.isBroken() || number >= 0 && wasReset[number],
                    "request " + number + " fails: " + e.getCause());
        }
    }
}
