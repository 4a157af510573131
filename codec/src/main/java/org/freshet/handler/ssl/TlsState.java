package org.freshet.handler.ssl;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.TunnelTarget;

/**
 * The state shared by the parts of a TLS connection: its engine, stage, context and execution.
 *
 * <pre>
 * IDLE --&gt; HANDSHAKING --&gt; ESTABLISHED --&gt; CLOSING --&gt; CLOSED
 *              ^                |                        ^
 *              +-- renegotiates-+         any stage -----+  failed, disconnected, removed
 * </pre>
 *
 * <p><b>Threading.</b> Any thread may read the stage and the channel; everything else is for steps only, except where noted.
 */
final class TlsState {
    enum Stage {
        /** No record was sent or received yet. */
        IDLE,
        HANDSHAKING,
        ESTABLISHED,
        /** Our close_notify was sent, the peer's was not received. */
        CLOSING,
        /** Nothing is encrypted or decrypted any more. */
        CLOSED
    }

    private static final String TLS_1_3 = "TLSv1.3";

    /** Replaced at most once, before it has seen a byte: by {@link #nameServer()}. */
    private volatile SSLEngine engine;

    /** Creates an engine for a server's name and port, to replace one created without them; null if it can't be replaced. */
    volatile BiFunction<String, Integer, SSLEngine> enginesByServer;

    /** The server that a handler above has asked the channel to connect to; null if none has since this handler was added. */
    private volatile ServerName requestedServer;

    /** The server whose address the engine does not verify; null if it verifies everything. */
    private ServerName unverifiedServer;

    /** Only usable once there is a channel. */
    private final Supplier<SerialExecution> execution;

    private final Consumer<Throwable> failure;

    /** The handler's context; kept when the handler is removed, to fail late requests. */
    private volatile ChannelHandlerContext ctx;

    private volatile Stage stage = Stage.IDLE;

    /**
     * A handler above has asked for a connection, and the handlers below have not announced it yet: the socket may be connected to
     * a proxy that is still being asked for the server. False if this handler was added later, and on a server.
     */
    private volatile boolean isConnecting;

    /** @param failure ends the connection, in a step */
    TlsState(SSLEngine engine, Supplier<SerialExecution> execution, Consumer<Throwable> failure) {
        this.engine = engine;
        this.execution = execution;
        this.failure = failure;
    }

    /** Call this first. */
    void attach(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    SSLEngine engine() {
        return engine;
    }

    ChannelHandlerContext ctx() {
        return ctx;
    }

    /** Null until the handler is added. */
    Channel channel() {
        ChannelHandlerContext place = ctx;
        return place == null ? null : place.getChannel();
    }

    // ---- the connection below ----

    /** The handlers below have announced the connection. */
    void onConnected() {
        isConnecting = false;
    }

    /** Any thread. Whether what is sent now reaches the peer. */
    boolean isConnected() {
        return channel().isConnected() && !isConnecting;
    }

    // ---- the server's name ----

    /** Any thread: the channel is about to be connected. */
    void onConnectRequest(SocketAddress server) {
        if (!channel().isConnected()) { // otherwise the request is refused
            isConnecting = true;
        }
        ServerName name = ServerName.of(server);
        if (name != null) {
            requestedServer = name;
        }
    }

    /**
     * Called before a client's handshake: tells the engine which server to verify, if it was created without a name. The name
     * is the one that the channel was asked to connect to, never one that a later reverse lookup found.
     */
    void nameServer() throws SSLException {
        ServerName server = server();
        if (server != null && enginesByServer != null && HostnameVerification.lacksName(engine)) {
            SSLEngine named = enginesByServer.apply(server.host(), server.port());
            engine = HostnameVerification.replace(engine, named);
        } else {
            unverifiedServer = HostnameVerification.INSTANCE.prepare(engine, server, ctx);
        }
    }

    /** Null if nothing is known. A handler that was added later uses the far end of a tunnel, or of the socket. */
    private ServerName server() {
        ServerName requested = requestedServer;
        if (requested != null) {
            return requested;
        }
        InetSocketAddress target = TunnelTarget.of(channel());
        return ServerName.of(target != null ? target : channel().getRemoteAddress());
    }

    /** Called after a handshake, before anything else is sent or received. */
    void verifyServer() throws SSLException {
        if (unverifiedServer != null) {
            unverifiedServer.verifyAddress(engine.getSession());
        }
    }

    // ---- the stage ----

    Stage stage() {
        return stage;
    }

    /** A stage never goes back, except by a renegotiation: a connection that is over stays over. */
    void enter(Stage next) {
        boolean renegotiates = stage == Stage.ESTABLISHED && next == Stage.HANDSHAKING;
        if (renegotiates || next.compareTo(stage) > 0) {
            stage = next;
        }
    }

    boolean is(Stage asked) {
        return stage == asked;
    }

    /** Whether an end of the stream is expected. */
    boolean isClosing() {
        Stage now = stage;
        return now == Stage.CLOSING || now == Stage.CLOSED;
    }

    HandshakeStatus engineWants() {
        return engine.getHandshakeStatus();
    }

    boolean isTls13() {
        return TLS_1_3.equals(engine.getSession().getProtocol());
    }

    // ---- failures ----

    /** Any thread. */
    SerialExecution execution() {
        return execution.get();
    }

    void failConnection(Throwable cause) {
        failure.accept(cause);
    }

    void fail(ChannelFuture future, Throwable cause) {
        try {
            execution().dispatch(() -> future.setFailure(cause));
        } catch (Error withoutMemory) { // it must still complete
            Holding.complete(future, cause);
        }
    }

    /** Creates a request to close the channel. */
    ChannelEvent closing() {
        Channel channel = ctx.getChannel();
        return new DownstreamChannelStateEvent(channel, Channels.future(channel), ChannelState.OPEN, Boolean.FALSE);
    }
}
