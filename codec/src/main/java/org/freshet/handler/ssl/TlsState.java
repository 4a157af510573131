package org.freshet.handler.ssl;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.MessageEvent;

/**
 * What the parts of a TLS connection share: its engine, its stage, its context, and its execution.
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
        /** No record was sent or received. */
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

    /** Makes an engine for a server's name and port, in place of one that was made without; null if there is no other. */
    volatile BiFunction<String, Integer, SSLEngine> enginesByServer;

    /** To which a handler above has asked the channel to connect; null if none has since this one is in the pipeline. */
    private volatile InetSocketAddress requestedServer;

    /** For when there is a channel. */
    private final Supplier<SerialExecution> execution;

    private final Consumer<Throwable> failure;

    /** Of the handler; kept when the handler is removed, to fail late requests. */
    private volatile ChannelHandlerContext ctx;

    private volatile Stage stage = Stage.IDLE;

    /** @param failure ends the connection, in a step */
    TlsState(SSLEngine engine, Supplier<SerialExecution> execution, Consumer<Throwable> failure) {
        this.engine = engine;
        this.execution = execution;
        this.failure = failure;
    }

    /** Called before everything else. */
    void attach(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    SSLEngine engine() {
        return engine;
    }

    ChannelHandlerContext ctx() {
        return ctx;
    }

    /** Null before the handler was added. */
    Channel channel() {
        ChannelHandlerContext place = ctx;
        return place == null ? null : place.getChannel();
    }

    // ---- the server's name ----

    /** Any thread: the channel is going to be connected. */
    void onConnectRequest(SocketAddress server) {
        if (server instanceof InetSocketAddress address) {
            requestedServer = address;
        }
    }

    /**
     * Before a client's handshake: the engine is told which server it has to verify, if it was made without a name. The name
     * is the one that the channel was asked to connect to, and never one that was looked up for an address since then.
     */
    void nameServer() {
        InetSocketAddress server = requestedServer;
        if (server == null && channel().getRemoteAddress() instanceof InetSocketAddress remote) {
            server = remote;
        }
        if (server != null && enginesByServer != null && HostnameVerification.lacksName(engine)) {
            SSLEngine named = enginesByServer.apply(server.getHostString(), server.getPort());
            engine = HostnameVerification.replace(engine, named);
        } else {
            HostnameVerification.setDefault(engine);
        }
    }

    // ---- the stage ----

    Stage stage() {
        return stage;
    }

    /** No stage goes back to an earlier one, except by a renegotiation: a connection that is over stays over. */
    void enter(Stage next) {
        boolean renegotiates = stage == Stage.ESTABLISHED && next == Stage.HANDSHAKING;
        if (renegotiates || next.compareTo(stage) > 0) {
            stage = next;
        }
    }

    boolean is(Stage asked) {
        return stage == asked;
    }

    /** Whether an end of the stream is what is expected. */
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
        execution().dispatch(() -> future.setFailure(cause));
    }

    void fail(List<MessageEvent> messages, Throwable cause) {
        messages.forEach(message -> fail(message.getFuture(), cause));
    }

    /** A new request to close the channel. */
    ChannelEvent closing() {
        Channel channel = ctx.getChannel();
        return new DownstreamChannelStateEvent(channel, Channels.future(channel), ChannelState.OPEN, Boolean.FALSE);
    }
}
