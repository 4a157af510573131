package org.freshet.handler.ssl;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.PendingClose;
import org.freshet.internal.write.HoldsWrites;
import org.freshet.telemetry.Explanation;
import org.freshet.util.Timer;

/**
 * TLS for one connection, with the JDK's {@link SSLEngine}. Put it first in the pipeline; the handlers above it see decrypted
 * bytes.
 *
 * <pre>{@code
 * SslContext context = SslContextBuilder.forServer(new File("chain.pem"), new File("key.pem")).build();
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(context.newHandler(), new Application()));
 *
 * SslContext clients = SslContextBuilder.forClient().build();      // the JDK's authorities, and verifies the name
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(clients.newHandler("example.com", 443), new Application()));
 * }</pre>
 *
 * <h2>Handshake</h2>
 *
 * The handshake starts with the first of these: {@link #handshake()}, the connect if {@link #setIssueHandshake} is set, the
 * first write, the first bytes from the peer. Writes made before it completes, by any thread, are queued, and encrypted
 * afterwards in order; while more than 64 KiB are queued, the channel is not writable. A handshake may take 10 seconds, unless
 * a constructor sets another limit. On a server the time starts when the channel is connected, except with StartTLS.
 *
 * <h2>Which server</h2>
 *
 * A client verifies that the certificate is for the server it wants to reach. That is the host the engine was created with or
 * the one in its parameters (SNI); otherwise the host that the channel was asked to connect to, even through a
 * {@link org.freshet.handler.proxy.ProxyHandler}; otherwise, for a handler that was added to a connected channel, the tunnel's
 * target or the remote address. An IP address must be listed in the certificate. SNI has no addresses, so if an engine has
 * neither a host nor an algorithm, this handler compares the server's address after the handshake, whatever the trust manager
 * accepts. If no host is known, or an engine cannot verify a name, the handshake fails, and the message says what to do.
 *
 * <p>With {@code -Dorg.freshet.tls=netty3}, engines without an algorithm are left alone, so they accept any server with a
 * trusted certificate.
 *
 * <h2>StartTLS</h2>
 *
 * With {@code startTls}, the first message written after the handler was added is not encrypted: it asks the peer to start TLS.
 * Everything after it is encrypted.
 *
 * <h2>Closing</h2>
 *
 * Closing the channel sends all earlier writes, then close_notify, then closes. During a handshake, the close waits for it if
 * something was written and the handshake has a time limit; otherwise it doesn't wait. The handler answers the peer's
 * close_notify with its own and closes the channel. {@link #getSSLEngineInboundCloseFuture} shows whether the peer's was
 * received. A connection that ends without it may have been truncated by an attacker.
 *
 * <p>{@link Channels#shutdownOutput(Channel)} sends all earlier writes, then close_notify, then ends the output of the
 * connection. Data that the peer sends after that is still decrypted and passed up.
 *
 * <p>If a connection is closed while received bytes are unread, such as the session tickets that servers send after a TLS 1.3
 * handshake, it is reset, and the peer may lose data it has not read yet. To send and then close safely, call {@link #close()},
 * wait for {@link #getSSLEngineInboundCloseFuture}, then close the channel.
 *
 * <h2>Failures</h2>
 *
 * If a handshake fails, a record cannot be decrypted, or the peer sends plain bytes ({@link NotSslRecordException}), the
 * handler sends the alert, fails the handshake's future and the queued writes, fires the cause as an exception event, and
 * closes the channel unless {@link #setCloseOnSSLException} says otherwise. It discards everything the peer sends after that.
 * More than 64 consecutive records without data are a failure too.
 *
 * <h2>Blocking transports</h2>
 *
 * A write returns when the message has been sent, except during a handshake: a background thread sends those messages later. A
 * close interrupts other threads that are sending, but gives the background thread as much time as a handshake. No write keeps
 * another thread from reading. One limit is inherent in blocking I/O: a handler or listener that writes on the channel's I/O
 * thread keeps that thread from reading until the message has been sent. If both peers do so with more than the system's
 * buffers hold, they deadlock; write such amounts from other threads. This includes a {@code ChunkedWriteHandler} whose message
 * was written during the handshake, because it continues on the I/O thread.
 *
 * <p>A {@link FileRegion} is rejected, because its bytes don't pass through the handler; use {@code ChunkedFile}. Other
 * messages that are not a {@link ChannelBuffer} are passed on.
 *
 * <p><b>Threading.</b> Any thread may write, close and call the methods here. The engine is used only in steps of
 * {@link SerialExecution}. On NIO these run on the channel's I/O thread, without a lock. On blocking transports they run on any
 * thread that encrypts or decrypts, so writing and reading don't wait for each other. No lock is held while a task of the
 * engine, a timer, a handler or a listener runs. Fields without a remark are for steps only. Handlers below this one must not
 * move received messages to other threads.
 */
@SuppressWarnings("exports") // HoldsWrites and HoldsOutput are internal to Freshet's modules
@ChannelHandler.Borrower
public class SslHandler extends FrameDecoder implements ChannelDownstreamHandler, HoldsWrites, HoldsOutput {
    static final long DEFAULT_HANDSHAKE_TIMEOUT_MILLIS = 10_000;

    /** The pool of handlers created without one. */
    private static final class DefaultPool {
        static final SslBufferPool INSTANCE = new SslBufferPool();
    }

    private enum Decoding {
        IDLE,

        /** {@link #decode} is running. */
        RUNNING,

        /** {@link #decode} is running, and the connection has become idle meanwhile. */
        REPEAT
    }

    private final TlsConnection connection;
    private final long handshakeTimeoutMillis;

    /** Any thread. The next write is passed on unencrypted. */
    private final AtomicBoolean passesNextWrite;

    private volatile boolean issueHandshake;

    /** Null until the handler is added; kept after its removal, to fail late requests. */
    private volatile ChannelHandlerContext ctx;

    /** Any thread. Null until first needed, when there is a channel. */
    private final AtomicReference<SerialExecution> execution = new AtomicReference<>();

    private final BusyReading busyReading = new BusyReading();

    /** Received bytes are undecoded because the connection was busy. */
    private boolean decodingDeferred;

    /** I/O thread only. */
    private Decoding decoding = Decoding.IDLE;

    private volatile boolean removed;

    /** Uses the default pool, without StartTLS. */
    public SslHandler(SSLEngine engine) {
        this(engine, getDefaultBufferPool(), false);
    }

    /** Without StartTLS. */
    public SslHandler(SSLEngine engine, SslBufferPool bufferPool) {
        this(engine, bufferPool, false);
    }

    /** Uses the default pool. */
    public SslHandler(SSLEngine engine, boolean startTls) {
        this(engine, getDefaultBufferPool(), startTls);
    }

    /** Uses the default handshake time-out. */
    public SslHandler(SSLEngine engine, SslBufferPool bufferPool, boolean startTls) {
        this(engine, bufferPool, startTls, null, DEFAULT_HANDSHAKE_TIMEOUT_MILLIS);
    }

    /**
     * Creates a handler for one connection.
     *
     * @param engine used by this handler only. A client's engine without an endpoint identification algorithm gets
     * {@code HTTPS}, so that the server's name is verified; an empty algorithm opts out. See "Which server" above
     * @param bufferPool for scratch buffers
     * @param startTls whether the first message written is not encrypted
     * @param timer measures the handshake time-out; null uses Freshet's own. Never stopped by this handler
     * @param handshakeTimeoutInMillis 0 or less means no limit
     */
    public SslHandler(
            SSLEngine engine, SslBufferPool bufferPool, boolean startTls, Timer timer, long handshakeTimeoutInMillis) {
        this.passesNextWrite = new AtomicBoolean(startTls);
        this.handshakeTimeoutMillis = Math.max(0, handshakeTimeoutInMillis);
        this.connection = new TlsConnection(
                Objects.requireNonNull(engine, "engine"),
                Objects.requireNonNull(bufferPool, "bufferPool"),
                timer,
                handshakeTimeoutMillis,
                this::execution);
    }

    /** The pool shared by all handlers that aren't given another one. */
    public static SslBufferPool getDefaultBufferPool() {
        return DefaultPool.INSTANCE;
    }

    /**
     * Whether the readable bytes look like the start of a TLS record, for handlers that serve TLS and plain text on one port.
     * Consumes nothing.
     *
     * @throws IllegalArgumentException if fewer than 5 bytes are readable
     */
    public static boolean isEncrypted(ChannelBuffer buffer) {
        if (buffer.readableBytes() < TlsRecords.HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "readableBytes < " + TlsRecords.HEADER_BYTES + ": " + buffer.readableBytes());
        }
        return TlsRecords.startsRecord(buffer);
    }

    // ---- settings ----

    /**
     * The engine, for example to get its session or the negotiated protocol. Don't wrap or unwrap with it. An engine created by
     * a client's {@link SslContext#newHandler()}, without the server's name, is replaced by another one with the same settings
     * when the handshake starts.
     */
    public SSLEngine getEngine() {
        return connection.state.engine();
    }

    /** @param engines creates an engine for the name or address, and the port, that the channel is connected to */
    void setEnginesByServer(BiFunction<String, Integer, SSLEngine> engines) {
        connection.state.enginesByServer = engines;
    }

    /** In milliseconds; 0 means no limit. */
    public long getHandshakeTimeout() {
        return handshakeTimeoutMillis;
    }

    public boolean isEnableRenegotiation() {
        return connection.handshake.renegotiationEnabled;
    }

    /**
     * Whether either side may ask for another handshake on an established connection. Default: false; a peer that asks is a
     * failure. TLS 1.3 has no renegotiation.
     */
    public void setEnableRenegotiation(boolean enableRenegotiation) {
        connection.handshake.renegotiationEnabled = enableRenegotiation;
    }

    public boolean isIssueHandshake() {
        return issueHandshake;
    }

    /**
     * Whether the handshake starts as soon as the channel is connected. If so, the handlers above receive
     * {@code channelConnected} once the handshake has succeeded. Default: false. Set it before the channel is connected.
     */
    public void setIssueHandshake(boolean issueHandshake) {
        this.issueHandshake = issueHandshake;
    }

    public boolean getCloseOnSSLException() {
        return connection.closesOnFailure;
    }

    /**
     * Whether a failure closes the channel. Default: true. Even with false, nothing can be sent or received after a failure.
     *
     * @throws IllegalStateException if the handler is in a pipeline
     */
    public void setCloseOnSSLException(boolean closeOnSSLException) {
        checkNotAdded("closeOnSSLException");
        connection.closesOnFailure = closeOnSSLException;
    }

    /**
     * Runs the engine's long-running work, such as checking certificates. Default: {@link ImmediateExecutor}, which runs it on
     * the channel's I/O thread, or with blocking transports on any thread that writes.
     *
     * @throws IllegalStateException if the handler is in a pipeline
     */
    public void setDelegatedTaskExecutor(Executor executor) {
        checkNotAdded("delegatedTaskExecutor");
        connection.outbound.taskExecutor = Objects.requireNonNull(executor, "executor");
    }

    private void checkNotAdded(String setting) {
        if (ctx != null) {
            throw new IllegalStateException(setting + " cannot be changed while the handler is in a pipeline");
        }
    }

    /**
     * Completes when the peer's close_notify arrives, or when the connection ends after our own. Fails if the connection ends
     * without it: the end of the received data may then be missing. Always the same future.
     */
    public ChannelFuture getSSLEngineInboundCloseFuture() {
        return connection.inbound.closeNotify;
    }

    // ---- requests, from any thread ----

    /**
     * Starts the handshake as soon as the channel is connected. During or after a handshake, requests another one only with
     * {@link #setEnableRenegotiation} and before TLS 1.3.
     *
     * @return the future of the handshake that was started by this or an earlier call
     * @throws IllegalStateException if the handler is not in the pipeline of a channel
     */
    public ChannelFuture handshake() {
        requireChannel();
        ChannelFuture future = connection.handshake.request();
        execution().run(connection.handshake::onRequested);
        return future;
    }

    /**
     * Sends close_notify after all earlier writes. The channel stays open for the peer's close_notify, but nothing can be
     * written any more.
     *
     * @return the future of the close_notify
     * @throws IllegalStateException if the handler is not in the pipeline of a channel
     */
    public ChannelFuture close() {
        ChannelHandlerContext place = requireChannel();
        ChannelFuture future = Channels.future(place.getChannel());
        request(new DownstreamMessageEvent(place.getChannel(), future, TlsConnection.CLOSE_NOTIFY, null));
        return future;
    }

    private ChannelHandlerContext requireChannel() {
        ChannelHandlerContext place = ctx;
        if (place == null || place.getChannel() == null) {
            throw new IllegalStateException("the handler is not in the pipeline of a channel");
        }
        return place;
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent) {
            onWrite(ctx, (MessageEvent) e);
        } else if (e instanceof ChannelStateEvent && asksToClose((ChannelStateEvent) e)) {
            PendingClose.request(e.getChannel()); // close_notify goes first
            request(e);
        } else if (e instanceof ChannelStateEvent change && change.getState() == ChannelState.CONNECTED) {
            connection.state.onConnectRequest((SocketAddress) change.getValue());
            ctx.sendDownstream(e);
        } else if (!busyReading.takeRequest(e)) {
            ctx.sendDownstream(e);
        }
    }

    private void onWrite(ChannelHandlerContext ctx, MessageEvent e) throws SSLException {
        if (e.getMessage() instanceof FileRegion) {
            throw new SSLException("cannot encrypt a FileRegion: write a ChunkedFile instead");
        }
        if (e.getMessage() == OutputShutdown.INSTANCE) {
            request(e); // close_notify goes first
            return;
        }
        if (!(e.getMessage() instanceof ChannelBuffer) || passesNextWrite.compareAndSet(true, false)) {
            ctx.sendDownstream(e);
            return;
        }
        ChannelEvent admitted = connection.outbound.queue.admit(e);
        if (admitted != null) {
            execution().request(admitted);
        }
    }

    /** There may be room now for messages that were held back. */
    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) throws Exception {
        if (connection.outbound.isHeldBack()) {
            execution().resumeMessages();
        }
        super.writeComplete(ctx, e);
    }

    /** Not for users: bytes that wait to be encrypted. */
    @Override
    public long heldBytes(Object channel) {
        return connection.outbound.queue.heldBytes();
    }

    /** Not for users: a handler above awaits, on the I/O thread, a write it made during this event. */
    @Override
    public void releaseWrites() {
        connection.outbound.flush();
    }

    private static boolean asksToClose(ChannelStateEvent e) {
        Object value = e.getValue();
        return e.getState() != ChannelState.INTEREST_OPS && (value == null || Boolean.FALSE.equals(value));
    }

    private void request(ChannelEvent e) {
        connection.outbound.queue.add(e);
        execution().request(e);
    }

    // ---- steps ----

    /** Only once there is a channel. */
    private SerialExecution execution() {
        SerialExecution chosen = execution.get();
        if (chosen == null) {
            execution.compareAndSet(null, SerialExecution.of(ctx, connection, this::flush));
            chosen = execution.get();
        }
        return chosen;
    }

    /** Ends each step: sends whatever can be sent, and resumes deferred decoding. */
    private void flush() {
        connection.outbound.flush();
        while (decodingDeferred && !connection.outbound.isBusy()) {
            decodingDeferred = false;
            execution().dispatch(this::resumeDecoding);
            connection.outbound.flush();
        }
    }

    /** Decodes the undecoded bytes as if they had just been received. I/O thread only. */
    private void resumeDecoding() {
        busyReading.resume();
        if (decoding != Decoding.IDLE) {
            decoding = Decoding.REPEAT;
            return;
        }
        ChannelBuffer undecoded = cumulation;
        if (undecoded == null) {
            return;
        }
        cumulation = null;
        try {
            super.messageReceived(ctx, new UpstreamMessageEvent(ctx.getChannel(), undecoded, null));
        } catch (Throwable e) {
            execution().run(() -> connection.fail(e));
        }
    }

    // ---- receiving ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        execution().handle(() -> super.messageReceived(ctx, e));
    }

    /** Decrypts the next record and the ones that can be decrypted together with it. Delivers their content itself. */
    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        try {
            do {
                decoding = Decoding.RUNNING;
                decodeStep(buffer);
            } while (decoding == Decoding.REPEAT);
        } finally {
            decoding = Decoding.IDLE;
        }
        if (decodingDeferred) {
            busyReading.limit(buffer.readableBytes());
        }
        return null;
    }

    private void decodeStep(ChannelBuffer buffer) {
        execution().beginRecord();
        try {
            decodeInStep(buffer);
        } finally {
            execution().endRecord();
        }
    }

    private void decodeInStep(ChannelBuffer buffer) {
        int recordBytes = connection.inbound.decode(buffer);
        if (recordBytes > 0) {
            expectFrame(recordBytes, 0);
        }
        if (removed) {
            return; // the next handler receives the undecoded bytes
        }
        if (connection.isOver()) {
            buffer.skipBytes(buffer.readableBytes());
        } else if (connection.outbound.isBusy()) {
            decodingDeferred = true;
        }
    }

    // ---- the channel's life ----

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        connection.state.onConnected();
        execution().handle(() -> {
            if (issueHandshake) {
                connection.handshake.future().addListener(future -> {
                    if (future.isSuccess()) {
                        ctx.sendUpstream(e);
                    }
                });
            }
            execution().run(this::onConnected);
            if (!issueHandshake) {
                ctx.sendUpstream(e);
            }
        });
    }

    private void onConnected() {
        if (connection.outbound.taskExecutor != ImmediateExecutor.INSTANCE) {
            busyReading.enable(ctx);
        }
        connection.handshake.onConnected(issueHandshake, !passesNextWrite.get());
    }

    /** TLS has its own end of input; unread bytes may be waiting for a task of the engine. */
    @Override
    public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
        ctx.sendUpstream(e);
    }

    @Override
    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        execution().handle(() -> {
            execution().run(connection::onConnectionEnd);
            super.channelDisconnected(ctx, e);
        });
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        execution().handle(() -> {
            execution().run(connection::onConnectionEnd);
            super.channelClosed(ctx, e);
        });
    }

    /**
     * If the peer resets the connection after our close_notify, no exception event is fired. The transport closes the channel
     * once everything that had arrived is read.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        boolean connectionLost = e.getCause() instanceof IOException && !(e.getCause() instanceof SSLException);
        if (!connectionLost || !connection.isClosing()) {
            ctx.sendUpstream(e);
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        if (removed) {
            throw new IllegalStateException("cannot add an SslHandler again after it was removed from a channel");
        }
        super.beforeAdd(ctx);
        this.ctx = ctx;
        connection.attach(ctx);
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        super.afterAdd(ctx);
        Channel channel = ctx.getChannel();
        if (channel != null && channel.isConnected()) {
            execution().run(this::onConnected);
        }
    }

    /** Writes that were not sent fail; the channel stays open, without TLS. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getChannel() != null) {
            execution().run(this::onRemoved);
        }
        super.afterRemove(ctx);
    }

    private void onRemoved() {
        removed = true;
        decodingDeferred = false;
        connection.onRemoved();
    }

    /** Like {@link FrameDecoder}'s, with the stage of the connection and the negotiated parameters. */
    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        super.explain(ctx, out);
        SSLSession session = getEngine().getSession();
        out.put("stage", connection.state.stage());
        out.put("protocol", session.getProtocol()).put("cipher suite", session.getCipherSuite());
    }
}
