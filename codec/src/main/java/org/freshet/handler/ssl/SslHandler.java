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
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.internal.handler.PendingClose;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.transport.HoldsWrites;
import org.freshet.util.Timer;

/**
 * TLS for one connection, with the JDK's {@link SSLEngine}. Put it first in the pipeline; handlers above it see plain bytes.
 *
 * <pre>{@code
 * SslContext context = SslContextBuilder.forServer(new File("chain.pem"), new File("key.pem")).build();
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(context.newHandler(), new Application()));
 *
 * SslContext clients = SslContextBuilder.forClient().build();      // trusts what the JDK trusts, verifies the name
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(clients.newHandler("example.com", 443), new Application()));
 * }</pre>
 *
 * <h2>Handshake</h2>
 *
 * Starts with the first of these: {@link #handshake()}, the connection if {@link #setIssueHandshake} says so, the first
 * write, the first bytes of the peer. What is written before it is done, by whichever threads, is encrypted after it, in
 * the order of the writes; while more than 64 KiB wait, the channel is not writable. A handshake takes 10 seconds at most unless a constructor was told otherwise; with a server the
 * time starts when the connection is there, except with StartTLS.
 *
 * <h2>StartTLS</h2>
 *
 * With {@code startTls}, the first message written after the handler was added goes out as it is: the one that tells the
 * peer to start. Everything after it is encrypted.
 *
 * <h2>Closing</h2>
 *
 * Closing the channel sends what was written before, then close_notify, then closes. During a handshake it waits for the
 * handshake if something was written and the handshake has a time limit; else it does not wait. The peer's close_notify is
 * answered by our own, and the channel is closed; {@link #getSSLEngineInboundCloseFuture} tells whether it came. A
 * connection that ends without it may have been cut short by somebody else.
 *
 * <p>A connection that is closed while bytes of the peer are unread, such as the session tickets that servers send after a
 * handshake of TLS 1.3, is reset, and the peer may lose what it has not read. Who sends and then has nothing more to say calls
 * {@link #close()}, waits for {@link #getSSLEngineInboundCloseFuture}, and then closes the channel.
 *
 * <h2>Failures</h2>
 *
 * A failed handshake, a record that cannot be decrypted, plain bytes from the peer ({@link NotSslRecordException}): the
 * alert is sent, the handshake's future and the writes that wait fail, the cause goes up as an exception event, and the
 * channel is closed unless {@link #setCloseOnSSLException} says otherwise. What the peer sends after that is thrown away.
 * Dozens of records in a row that bring no data are a failure too.
 *
 * <h2>Blocking transports</h2>
 *
 * A write returns when the message has left, except during a handshake: what was written then leaves after it, on a thread
 * that is started for it. A close cuts short what other threads are sending, and gives what was written during the handshake
 * as much time as a handshake has. No write keeps another thread from reading. What remains is in the nature of blocking I/O:
 * a handler or listener that writes on the channel's I/O thread keeps that thread from reading until the message has left. If
 * both peers do so with more than the system's buffers hold, they wait for each other; write such amounts from other threads.
 * That goes for a {@code ChunkedWriteHandler} too if its message was written during the handshake, since it continues on the I/O thread.
 *
 * <p>A {@link FileRegion} is refused, since nobody could encrypt it on its way; use {@code ChunkedFile}. Other messages that
 * are no {@link ChannelBuffer} are passed on.
 *
 * <p><b>Threading.</b> Any thread may write, close and call the methods here. The engine is used only in {@link SerialExecution}.
 * Over NIO a turn is taken on the channel's I/O thread, and there is no lock; over blocking transports by whoever has
 * something to encrypt or decrypt, so that writing and reading do not wait for each other. Fields without a remark belong to
 * whoever has the turn. The channel's user-defined writability 31 is used. No handler may move received messages to other threads below this one.
 */
@SuppressWarnings("exports") // HoldsWrites is between Freshet's modules
public class SslHandler extends FrameDecoder implements ChannelDownstreamHandler, HoldsWrites {
    static final long DEFAULT_HANDSHAKE_TIMEOUT_MILLIS = 10_000;

    /** While the connection is busy, reading is suspended when so much waits for it. */
    private static final int MAX_HELD_BACK_BYTES = 64 * 1024;

    /** The pool of handlers that were made without one. */
    private static final class DefaultPool {
        static final SslBufferPool INSTANCE = new SslBufferPool();
    }

    private final TlsConnection connection;
    private final long handshakeTimeoutMillis;

    /** Any thread. The next write is passed on as it is. */
    private final AtomicBoolean passesNextWrite;

    private volatile boolean issueHandshake;

    /** Null until the handler is added; stays after it was removed, to fail what comes late. */
    private volatile ChannelHandlerContext ctx;

    /** Any thread. Null until they are needed, when there is a channel. */
    private final AtomicReference<SerialExecution> execution = new AtomicReference<>();

    /** Null unless reading may have to be suspended. Set before anything is received. */
    private volatile ReadSuspension gate;

    /** Received bytes were kept because the connection was busy. */
    private boolean heldBack;

    /** I/O thread only. */
    private boolean readingSuspended;

    /** I/O thread only. */
    private boolean decoding;

    /** I/O thread only. The engine's tasks were done before {@link #decode} returned. */
    private boolean decodesAgain;

    private volatile boolean removed;

    /** With the default pool, without StartTLS. */
    public SslHandler(SSLEngine engine) {
        this(engine, getDefaultBufferPool(), false);
    }

    /** Without StartTLS. */
    public SslHandler(SSLEngine engine, SslBufferPool bufferPool) {
        this(engine, bufferPool, false);
    }

    /** With the default pool. */
    public SslHandler(SSLEngine engine, boolean startTls) {
        this(engine, getDefaultBufferPool(), startTls);
    }

    /** With the default limit to the handshake. */
    public SslHandler(SSLEngine engine, SslBufferPool bufferPool, boolean startTls) {
        this(engine, bufferPool, startTls, null, DEFAULT_HANDSHAKE_TIMEOUT_MILLIS);
    }

    /**
     * Makes a handler for one connection.
     *
     * @param engine for this handler alone. A client's engine that was made with the peer's name and has no
     *     endpoint identification algorithm gets {@code HTTPS}, so that the name is verified; an empty algorithm opts out.
     * @param bufferPool for scratch buffers
     * @param startTls whether the first message written is not encrypted
     * @param timer measures the handshake; null for a daemon thread of the JDK. Never stopped.
     * @param handshakeTimeoutInMillis 0 and less mean that a handshake may take for ever
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

    /** The pool that handlers share unless they are given another. */
    public static SslBufferPool getDefaultBufferPool() {
        return DefaultPool.INSTANCE;
    }

    /**
     * Whether the readable bytes look like the start of a TLS record, for handlers that serve both on one port. Reads
     * nothing.
     *
     * @throws IllegalArgumentException if less than 5 bytes are readable
     */
    public static boolean isEncrypted(ChannelBuffer buffer) {
        if (buffer.readableBytes() < TlsRecords.HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "readableBytes < " + TlsRecords.HEADER_BYTES + ": " + buffer.readableBytes());
        }
        try {
            int start = buffer.readerIndex();
            return !TlsRecords.isEmpty(buffer, start, TlsRecords.length(buffer, start));
        } catch (NotSslRecordException plain) {
            return false;
        }
    }

    // ---- settings ----

    /**
     * The engine, to ask it for its session or the negotiated protocol. Do not wrap or unwrap with it. A client's that was
     * made by {@link SslContext#newHandler()}, without the server's name, is replaced by another with the same settings when
     * the handshake starts.
     */
    public SSLEngine getEngine() {
        return connection.state.engine();
    }

    /** @param engines makes an engine for the name or address, and the port, that the channel is connected to */
    void setEnginesByServer(BiFunction<String, Integer, SSLEngine> engines) {
        connection.state.enginesByServer = engines;
    }

    /** In milliseconds; 0 for none. */
    public long getHandshakeTimeout() {
        return handshakeTimeoutMillis;
    }

    public boolean isEnableRenegotiation() {
        return connection.handshake.renegotiationEnabled;
    }

    /**
     * Whether either side may ask for another handshake on an established connection. Default: false, a peer that asks is
     * a failure. TLS 1.3 has no renegotiation.
     */
    public void setEnableRenegotiation(boolean enableRenegotiation) {
        connection.handshake.renegotiationEnabled = enableRenegotiation;
    }

    public boolean isIssueHandshake() {
        return issueHandshake;
    }

    /**
     * Whether the handshake starts as soon as the channel is connected. The handlers above hear of the connection when the
     * handshake has succeeded, then. Default: false. For the time before the channel is connected.
     */
    public void setIssueHandshake(boolean issueHandshake) {
        this.issueHandshake = issueHandshake;
    }

    public boolean getCloseOnSSLException() {
        return connection.closesOnFailure;
    }

    /**
     * Whether a failure closes the channel. Default: true; nothing can be sent or received after it anyway.
     *
     * @throws IllegalStateException if the handler is in a pipeline
     */
    public void setCloseOnSSLException(boolean closeOnSSLException) {
        checkNotAdded("closeOnSSLException");
        connection.closesOnFailure = closeOnSSLException;
    }

    /**
     * Who does the engine's long work, such as checking certificates. Default: {@link ImmediateExecutor}, the channel's I/O
     * thread does it.
     *
     * @throws IllegalStateException if the handler is in a pipeline
     */
    public void setDelegatedTaskExecutor(Executor executor) {
        checkNotAdded("delegatedTaskExecutor");
        connection.outbound.taskExecutor = Objects.requireNonNull(executor, "executor");
    }

    private void checkNotAdded(String setting) {
        if (ctx != null) {
            throw new IllegalStateException(setting + " cannot be set while the handler is in a pipeline");
        }
    }

    /**
     * Completed when the peer's close_notify came, or when the connection ended after our own; fails if the connection ended
     * without it, in which case the end of what was received may be missing. The same one every time.
     */
    public ChannelFuture getSSLEngineInboundCloseFuture() {
        return connection.inbound.closeNotify;
    }

    // ---- requests, from any thread ----

    /**
     * Starts the handshake, as soon as the channel is connected. Once there is one, or was one, asks for another only with
     * {@link #setEnableRenegotiation} and before TLS 1.3.
     *
     * @return the future of the handshake that was started now or before
     * @throws IllegalStateException if the handler is not in the pipeline of a channel
     */
    public ChannelFuture handshake() {
        requireChannel();
        ChannelFuture future = connection.handshake.request();
        execution().run(connection.handshake::onRequested);
        return future;
    }

    /**
     * Sends close_notify after what was written before. The channel stays open, for the peer's close_notify; nothing can be
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
            PendingClose.request(e.getChannel()); // the peer is told first
            request(e);
        } else if (e instanceof ChannelStateEvent change && change.getState() == ChannelState.CONNECTED) {
            connection.state.onConnectRequest((SocketAddress) change.getValue());
            ctx.sendDownstream(e);
        } else if (gate != null && ReadSuspension.isReadRequest(e)) {
            gate.request((ChannelStateEvent) e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    private void onWrite(ChannelHandlerContext ctx, MessageEvent e) throws SSLException {
        if (e.getMessage() instanceof FileRegion) {
            throw new SSLException("a FileRegion cannot be encrypted on its way; write a ChunkedFile");
        }
        if (!(e.getMessage() instanceof ChannelBuffer) || passesNextWrite.compareAndSet(true, false)) {
            ctx.sendDownstream(e);
        } else {
            request(e);
        }
    }

    /** Not for users: a handler above awaits, on the I/O thread, what it wrote during this event. */
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

    /** Not before there is a channel. */
    private SerialExecution execution() {
        SerialExecution chosen = execution.get();
        if (chosen == null) {
            execution.compareAndSet(null, SerialExecution.of(ctx, connection, this::flush));
            chosen = execution.get();
        }
        return chosen;
    }

    /** Ends each step: sends what can be sent, and decodes what was kept meanwhile. */
    private void flush() {
        connection.outbound.flush();
        while (heldBack && !connection.outbound.isBusy()) {
            heldBack = false;
            execution().dispatch(this::readHeldBack);
            connection.outbound.flush();
        }
    }

    /** Decodes again what was kept, as if it came now. I/O thread only. */
    private void readHeldBack() {
        resumeReading();
        if (decoding) {
            decodesAgain = true; // it is still in the hands of decode()
            return;
        }
        ChannelBuffer kept = cumulation;
        if (kept == null) {
            return;
        }
        cumulation = null;
        try {
            super.messageReceived(ctx, new UpstreamMessageEvent(ctx.getChannel(), kept, null));
        } catch (Throwable e) {
            execution().run(() -> connection.fail(e));
        }
    }

    // ---- receiving ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        execution().handle(() -> super.messageReceived(ctx, e));
    }

    /** Decrypts the next record, and those behind it that can go with it; what they hold is sent on from here. */
    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        decoding = true;
        try {
            do {
                decodesAgain = false;
                decodeStep(buffer);
            } while (decodesAgain);
        } finally {
            decoding = false;
        }
        if (buffer.readableBytes() > MAX_HELD_BACK_BYTES) {
            limitHeldBack();
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
        if (!connection.outbound.isBusy()) {
            try {
                decodeRecord(buffer);
            } catch (Throwable e) { // of the engine, mostly an SSLException
                connection.fail(e);
            }
        }
        if (removed) {
            return; // what is unread goes to who comes next
        }
        if (connection.isOver()) {
            buffer.skipBytes(buffer.readableBytes());
        } else if (connection.outbound.isBusy()) {
            heldBack = true;
        }
    }

    private void decodeRecord(ChannelBuffer buffer) throws SSLException {
        if (connection.isOver()) {
            return;
        }
        int length = TlsRecords.length(buffer, buffer.readerIndex());
        if (length != TlsRecords.INCOMPLETE && length <= buffer.readableBytes()) {
            connection.inbound.read(buffer, length);
        }
    }

    private void limitHeldBack() {
        if (heldBack && gate != null && !readingSuspended) {
            readingSuspended = true;
            gate.suspend();
        }
    }

    private void resumeReading() {
        if (readingSuspended) {
            readingSuspended = false;
            gate.resume();
        }
    }

    // ---- the channel's life ----

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
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
        if (connection.outbound.taskExecutor != ImmediateExecutor.INSTANCE && gate == null) {
            gate = ReadSuspension.at(ctx);
        }
        connection.handshake.onConnected(issueHandshake, !passesNextWrite.get());
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

    /** After our close_notify, that the peer cut the connection is no news: the channel is closed, and that is all. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        boolean connectionLost = e.getCause() instanceof IOException && !(e.getCause() instanceof SSLException);
        if (connectionLost && connection.isClosing()) {
            Channels.close(ctx, Channels.future(ctx.getChannel()));
        } else {
            ctx.sendUpstream(e);
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        if (removed) {
            throw new IllegalStateException("an SslHandler that was removed from a channel cannot be added again");
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

    /** What was written and not sent fails; the channel stays open, without TLS. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getChannel() != null) {
            execution().run(this::onRemoved);
        }
        super.afterRemove(ctx);
    }

    private void onRemoved() {
        removed = true;
        heldBack = false;
        connection.onRemoved();
    }
}
