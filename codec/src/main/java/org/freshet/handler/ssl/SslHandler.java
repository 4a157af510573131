package org.freshet.handler.ssl;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.util.Timer;

/**
 * TLS for one connection, with the JDK's {@link SSLEngine}. Put it first in the pipeline; handlers above it see plain bytes.
 *
 * <pre>{@code
 * SslContext context = SslContextBuilder.forServer(new File("chain.pem"), new File("key.pem")).build();
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(context.newHandler(), new Application()));
 *
 * SslContext context = SslContextBuilder.forClient().build();      // trusts what the JDK trusts, verifies the name
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(context.newHandler("example.com", 443), new Application()));
 * }</pre>
 *
 * <h2>Handshake</h2>
 *
 * Starts with the first of these: {@link #handshake()}, the connection if {@link #setIssueHandshake} says so, the first
 * write, the first bytes of the peer. What is written before it is done, by whichever threads, is encrypted after it, in
 * the order of the writes. A handshake takes 10 seconds at most unless a constructor was told otherwise; with a server the
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
 * <h2>Failures</h2>
 *
 * A failed handshake, a record that cannot be decrypted, plain bytes from the peer ({@link NotSslRecordException}): the
 * alert is sent, the handshake's future and the writes that wait fail, the cause goes up as an exception event, and the
 * channel is closed unless {@link #setCloseOnSSLException} says otherwise. What the peer sends after that is thrown away.
 *
 * <p>A {@link FileRegion} is refused, since nobody could encrypt it on its way; use {@code ChunkedFile}. Other messages that
 * are no {@link ChannelBuffer} are passed on.
 *
 * <p><b>Threading.</b> Any thread may write, close and call the methods here. The engine is used only in turns: a turn is
 * taken on the channel's I/O thread, for received bytes or through {@code ChannelPipeline.execute}, so there is one at a
 * time and no lock. Fields without a remark belong to whoever has the turn. No handler may move received messages to other
 * threads below this one.
 */
public class SslHandler extends FrameDecoder implements ChannelDownstreamHandler {
    /**
     * <pre>
     * IDLE --&gt; HANDSHAKING --&gt; ESTABLISHED --&gt; CLOSING --&gt; CLOSED
     *              ^                |                        ^
     *              +-- renegotiates-+         any stage -----+  failed, disconnected, removed
     * </pre>
     */
    private enum Stage {
        /** No record was sent or received. */
        IDLE,
        HANDSHAKING,
        ESTABLISHED,
        /** Our close_notify has been sent, the peer's has not come. */
        CLOSING,
        /** Nothing is encrypted or decrypted any more. */
        CLOSED
    }

    /** The message of {@link #close()} among the requests. */
    private static final Object CLOSE_NOTIFY = new Object();

    static final long DEFAULT_HANDSHAKE_TIMEOUT_MILLIS = 10_000;

    /** How often the engine may neither read a record nor fail, each time after it was given what it asked for. */
    private static final int MAX_VAIN_READS = 16;

    /** While the engine's tasks run elsewhere, reading is suspended when so much waits for them. */
    private static final int MAX_HELD_BACK_BYTES = 64 * 1024;

    private static final String TLS_1_3 = "TLSv1.3";

    /** A future that can be had before there is a channel. */
    private final class HandlerFuture extends DefaultChannelFuture {
        HandlerFuture() {
            super(null, false);
        }

        @Override
        public Channel getChannel() {
            ChannelHandlerContext place = ctx;
            return place == null ? null : place.getChannel();
        }
    }

    /** The pool of handlers that were made without one. */
    private static final class DefaultPool {
        static final SslBufferPool INSTANCE = new SslBufferPool();
    }

    private final SSLEngine engine;
    private final RecordReader reader;
    private final RecordWriter writer;
    private final Timer timer;
    private final long handshakeTimeoutMillis;

    /** Any thread. */
    private final Outbox outbox = new Outbox();

    /** Any thread. A turn will come that empties the outbox. */
    private final AtomicBoolean flushScheduled = new AtomicBoolean();

    /** Any thread. The next write is passed on as it is. */
    private final AtomicBoolean passesNextWrite;

    /** Any thread. That of the last handshake asked for. */
    private final AtomicReference<ChannelFuture> handshakeFuture = new AtomicReference<>(new HandlerFuture());

    private final ChannelFuture inboundCloseFuture = new HandlerFuture();

    private volatile ChannelHandlerContext ctx;
    private volatile boolean enableRenegotiation;
    private volatile boolean issueHandshake;
    private volatile boolean closeOnSSLException = true;
    private volatile Executor taskExecutor = ImmediateExecutor.INSTANCE;

    /** The thread that has the turn. Each thread compares it with itself only, so that it need not be volatile. */
    private Thread turnHolder;

    private volatile Stage stage = Stage.IDLE;
    private HandshakeDeadline deadline;

    /** {@link #handshake()} was called before there was a connection. */
    private boolean handshakeWaitsForConnection;

    private boolean flushing;

    /** The engine's delegated tasks have been given away and are not done. */
    private boolean tasksElsewhere;

    /** Received bytes were kept although the engine might want them. */
    private boolean heldBack;

    private boolean readingSuspended;

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
        this.engine = Objects.requireNonNull(engine, "engine");
        this.reader = new RecordReader(engine);
        this.writer = new RecordWriter(engine, Objects.requireNonNull(bufferPool, "bufferPool"));
        this.passesNextWrite = new AtomicBoolean(startTls);
        this.timer = timer;
        this.handshakeTimeoutMillis = Math.max(0, handshakeTimeoutInMillis);
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
            return TlsRecords.length(buffer, buffer.readerIndex()) != TlsRecords.INCOMPLETE;
        } catch (NotSslRecordException plain) {
            return false;
        }
    }

    // ---- settings ----

    /** The engine, to ask it for its session or the negotiated protocol. Do not wrap or unwrap with it. */
    public SSLEngine getEngine() {
        return engine;
    }

    /** In milliseconds; 0 for none. */
    public long getHandshakeTimeout() {
        return handshakeTimeoutMillis;
    }

    public boolean isEnableRenegotiation() {
        return enableRenegotiation;
    }

    /**
     * Whether either side may ask for another handshake on an established connection. Default: false, a peer that asks is
     * a failure. TLS 1.3 has no renegotiation.
     */
    public void setEnableRenegotiation(boolean enableRenegotiation) {
        this.enableRenegotiation = enableRenegotiation;
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
        return closeOnSSLException;
    }

    /**
     * Whether a failure closes the channel. Default: true; nothing can be sent or received after it anyway.
     *
     * @throws IllegalStateException if the handler is in a pipeline
     */
    public void setCloseOnSSLException(boolean closeOnSSLException) {
        checkNotAdded("closeOnSSLException");
        this.closeOnSSLException = closeOnSSLException;
    }

    /**
     * Who does the engine's long work, such as checking certificates. Default: {@link ImmediateExecutor}, the channel's I/O
     * thread does it.
     *
     * @throws IllegalStateException if the handler is in a pipeline
     */
    public void setDelegatedTaskExecutor(Executor executor) {
        checkNotAdded("delegatedTaskExecutor");
        this.taskExecutor = Objects.requireNonNull(executor, "executor");
    }

    private void checkNotAdded(String setting) {
        if (ctx != null) {
            throw new IllegalStateException(setting + " cannot be set while the handler is in a pipeline");
        }
    }

    /**
     * Completed when the peer's close_notify came, or when the connection ended after our own; fails if the connection ended without it, in which case the end of what
     * was received may be missing. The same one every time.
     */
    public ChannelFuture getSSLEngineInboundCloseFuture() {
        return inboundCloseFuture;
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
        ChannelHandlerContext place = requireChannel();
        ChannelFuture last = handshakeFuture.get();
        if (stage == Stage.ESTABLISHED && last.isSuccess() && mayRenegotiate()) {
            handshakeFuture.compareAndSet(last, new HandlerFuture());
        }
        ChannelFuture future = handshakeFuture.get();
        inTurn(place, this::onHandshakeRequested);
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
        request(place, new DownstreamMessageEvent(place.getChannel(), future, CLOSE_NOTIFY, null));
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
            request(ctx, e);
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
            request(ctx, e);
        }
    }

    private static boolean asksToClose(ChannelStateEvent e) {
        Object value = e.getValue();
        return e.getState() != ChannelState.INTEREST_OPS && (value == null || Boolean.FALSE.equals(value));
    }

    private void request(ChannelHandlerContext place, ChannelEvent e) {
        outbox.add(e);
        if (turnHolder != Thread.currentThread() && flushScheduled.compareAndSet(false, true)) {
            inTurn(place, () -> flushScheduled.set(false));
        }
    }

    // ---- turns ----

    /** Runs an action in a turn, which ends with sending what there is to send. */
    private void inTurn(ChannelHandlerContext place, Runnable action) {
        ChannelFuture done = place.getPipeline().execute(() -> {
            boolean outermost = beginTurn();
            try {
                action.run();
            } finally {
                endTurn(outermost);
            }
        });
        if (done.isDone() && !done.isSuccess()) {
            onTurnRefused(place, done.getCause());
        }
    }

    /** The I/O thread has ended, and with it the channel. */
    private void onTurnRefused(ChannelHandlerContext place, Throwable cause) {
        flushScheduled.set(false);
        for (ChannelEvent e = outbox.poll(); e != null; e = outbox.poll()) {
            refuse(place, e, cause);
        }
        handshakeFuture.get().setFailure(cause);
    }

    private boolean beginTurn() {
        if (turnHolder == Thread.currentThread()) {
            return false;
        }
        turnHolder = Thread.currentThread();
        return true;
    }

    private void endTurn(boolean outermost) {
        if (!outermost) {
            return;
        }
        try {
            flush();
            while (heldBack && !tasksElsewhere) {
                readHeldBack();
                flush();
            }
        } finally {
            turnHolder = null;
        }
    }

    /** Decodes again what was kept, as if it came now. */
    private void readHeldBack() {
        heldBack = false;
        ChannelHandlerContext place = ctx;
        ChannelBuffer kept = cumulation;
        if (kept == null) {
            return;
        }
        cumulation = null;
        try {
            super.messageReceived(place, new UpstreamMessageEvent(place.getChannel(), kept, null));
        } catch (Exception e) {
            fail(e);
        }
    }

    // ---- receiving ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        boolean outermost = beginTurn();
        try {
            super.messageReceived(ctx, e);
        } finally {
            endTurn(outermost);
        }
    }

    /** Decrypts the next record, and those behind it that can go with it; what they hold is sent on from here. */
    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        if (stage == Stage.CLOSED) {
            buffer.skipBytes(buffer.readableBytes());
            return null;
        }
        if (tasksElsewhere || flushing) {
            holdBack(ctx, buffer);
            return null;
        }
        try {
            int length = TlsRecords.length(buffer, buffer.readerIndex());
            if (length != TlsRecords.INCOMPLETE && length <= buffer.readableBytes()) {
                onRecord(ctx, buffer, length);
            }
        } catch (SSLException e) {
            buffer.skipBytes(buffer.readableBytes());
            fail(e);
        }
        return null;
    }

    private void holdBack(ChannelHandlerContext ctx, ChannelBuffer buffer) {
        heldBack = true;
        Channel channel = ctx.getChannel();
        if (buffer.readableBytes() > MAX_HELD_BACK_BYTES && channel.isReadable()) {
            readingSuspended = true;
            Channels.setInterestOps(ctx, Channels.future(channel), channel.getInterestOps() & ~Channel.OP_READ);
        }
    }

    private void onRecord(ChannelHandlerContext ctx, ChannelBuffer buffer, int length) throws SSLException {
        boolean renegotiates = stage == Stage.ESTABLISHED && asksToRenegotiate(buffer);
        if (renegotiates && !enableRenegotiation) {
            throw new SSLException("the peer asked to renegotiate, which is not enabled");
        }
        if (stage == Stage.IDLE) {
            startHandshake();
        }
        for (int vain = 0; vain < MAX_VAIN_READS; vain++) {
            giveEngineWhatItWants(TlsRecords.type(buffer, buffer.readerIndex()) == TlsRecords.APPLICATION_DATA);
            if (tasksElsewhere || stage == Stage.CLOSED) {
                heldBack = true;
                return;
            }
            int start = buffer.readerIndex();
            SSLEngineResult result = reader.read(buffer, length, stage == Stage.ESTABLISHED);
            deliverPlaintext(ctx);
            reader.checkFailure();
            onRead(result, renegotiates);
            if (buffer.readerIndex() != start) {
                return;
            }
        }
        throw new SSLException("the engine makes no progress with a record of " + length + " bytes");
    }

    private boolean asksToRenegotiate(ChannelBuffer buffer) {
        return TlsRecords.type(buffer, buffer.readerIndex()) == TlsRecords.HANDSHAKE && !isTls13();
    }

    private boolean isTls13() {
        return TLS_1_3.equals(engine.getSession().getProtocol());
    }

    private boolean mayRenegotiate() {
        return enableRenegotiation && !isTls13();
    }

    /**
     * A record cannot be read while the engine has something to send or to compute. And before one that may end the
     * connection, what was written in answer to the records before it is sent.
     */
    private void giveEngineWhatItWants(boolean plainData) {
        HandshakeStatus wanted = engine.getHandshakeStatus();
        if (!plainData || wanted == HandshakeStatus.NEED_WRAP || wanted == HandshakeStatus.NEED_TASK) {
            flush();
        }
    }

    private void deliverPlaintext(ChannelHandlerContext ctx) {
        ChannelBuffer plaintext = reader.takePlaintext();
        if (plaintext != null) {
            Channels.fireMessageReceived(ctx, plaintext);
        }
    }

    private void onRead(SSLEngineResult result, boolean renegotiates) throws SSLException {
        HandshakeStatus status = result.getHandshakeStatus();
        if (renegotiates && status != HandshakeStatus.NOT_HANDSHAKING && stage == Stage.ESTABLISHED) {
            onRenegotiation();
        }
        if (status == HandshakeStatus.FINISHED) {
            onHandshakeDone();
        }
        if (result.getStatus() == Status.CLOSED) {
            onCloseNotify();
        }
    }

    /** The peer sends nothing more. */
    private void onCloseNotify() throws SSLException {
        if (stage == Stage.HANDSHAKING) {
            throw new SSLException("the peer ended the handshake by close_notify");
        }
        boolean peerWasFirst = stage == Stage.ESTABLISHED;
        inboundCloseFuture.setSuccess();
        if (peerWasFirst) {
            flush();
            sayGoodbye();
        }
        stage = Stage.CLOSED;
        if (peerWasFirst) {
            Channels.close(ctx, Channels.future(ctx.getChannel()));
        }
    }

    // ---- handshake ----

    private void onHandshakeRequested() {
        switch (stage) {
            case IDLE:
                beginWhenConnected();
                break;
            case ESTABLISHED:
                if (!handshakeFuture.get().isDone()) {
                    tryToStartHandshake();
                }
                break;
            case HANDSHAKING:
                break;
            default:
                handshakeFuture.get().setFailure(new ClosedChannelException());
        }
    }

    private void beginWhenConnected() {
        handshakeWaitsForConnection = !ctx.getChannel().isConnected();
        if (!handshakeWaitsForConnection) {
            tryToStartHandshake();
        }
    }

    private void tryToStartHandshake() {
        try {
            startHandshake();
        } catch (SSLException e) {
            fail(e);
        }
    }

    private void startHandshake() throws SSLException {
        stage = Stage.HANDSHAKING;
        startDeadline();
        if (engine.getUseClientMode()) {
            HostnameVerification.setDefault(engine);
        }
        try {
            engine.beginHandshake();
        } catch (RuntimeException e) {
            throw new SSLException("the engine cannot start a handshake", e);
        }
    }

    private void onRenegotiation() {
        handshakeFuture.compareAndSet(handshakeFuture.get(), new HandlerFuture());
        stage = Stage.HANDSHAKING;
        startDeadline();
    }

    private void startDeadline() {
        if (deadline == null && handshakeTimeoutMillis > 0) {
            ChannelHandlerContext place = ctx;
            deadline = HandshakeDeadline.start(
                    timer, handshakeTimeoutMillis, () -> inTurn(place, this::onHandshakeTimeout));
        }
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    private void onHandshakeTimeout() {
        if (stage == Stage.IDLE || stage == Stage.HANDSHAKING) {
            fail(new SSLException("handshake not done within " + handshakeTimeoutMillis + " ms"));
        }
    }

    private void onHandshakeDone() {
        if (stage != Stage.HANDSHAKING) {
            return;
        }
        stage = Stage.ESTABLISHED;
        cancelDeadline();
        handshakeFuture.get().setSuccess();
    }

    // ---- the engine's tasks ----

    /** Returns whether they are done. */
    private boolean runTasks() {
        if (tasksElsewhere) {
            return false;
        }
        List<Runnable> tasks = new ArrayList<>(1);
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            tasks.add(task);
        }
        if (tasks.isEmpty()) {
            return false;
        }
        ChannelHandlerContext place = ctx;
        tasksElsewhere = true;
        taskExecutor.execute(() -> {
            try {
                tasks.forEach(Runnable::run);
                inTurn(place, () -> onTasksDone(place));
            } catch (Throwable t) {
                inTurn(place, () -> fail(t));
            }
        });
        return !tasksElsewhere;
    }

    private void onTasksDone(ChannelHandlerContext place) {
        tasksElsewhere = false;
        if (readingSuspended) {
            readingSuspended = false;
            Channel channel = place.getChannel();
            Channels.setInterestOps(place, Channels.future(channel), channel.getInterestOps() | Channel.OP_READ);
        }
    }

    // ---- sending ----

    /** Sends all that can be sent now. */
    private void flush() {
        ChannelHandlerContext place = ctx;
        if (flushing) {
            return; // what a handler below wrote while we were sending is seen by the loop that sends
        }
        flushing = true;
        try {
            while (flushStep(place)) {
                // one record, task or request after the other
            }
            send(place, null);
        } catch (SSLException | RuntimeException e) {
            fail(e);
            while (refuseRequest(place)) {
                // what is left is not going to be sent
            }
        } finally {
            flushing = false;
        }
    }

    /** Returns whether there may be more to do. */
    private boolean flushStep(ChannelHandlerContext place) throws SSLException {
        if (stage == Stage.CLOSING || stage == Stage.CLOSED) {
            return refuseRequest(place);
        }
        if (closesNow()) {
            return closeOutbound(place);
        }
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK:
                return runTasks();
            case NEED_WRAP:
                return onWrapped(writer.encryptNothing());
            case NOT_HANDSHAKING:
            case FINISHED:
                return flushRequest(place);
            default:
                return false; // the peer's turn
        }
    }

    /** Whether the next thing to do is to close, the messages before it notwithstanding. */
    private boolean closesNow() {
        ChannelEvent next = outbox.peek();
        if (next == null) {
            return false;
        }
        if (!writer.hasBatch() && !Outbox.isMessage(next)) {
            return true;
        }
        return stage != Stage.ESTABLISHED && deadline == null && !startsByWriting() && outbox.holdsClosing();
    }

    /** Whether a message that waits will start a handshake that cannot last for ever. */
    private boolean startsByWriting() {
        return stage == Stage.IDLE
                && handshakeTimeoutMillis > 0
                && ctx.getChannel().isConnected();
    }

    private boolean flushRequest(ChannelHandlerContext place) throws SSLException {
        if (stage == Stage.HANDSHAKING) {
            onHandshakeDone();
            return true;
        }
        if (!writer.hasBatch()) {
            if (outbox.peek() == null) {
                return false;
            }
            if (stage == Stage.IDLE) {
                return startHandshakeForWrite(place);
            }
            writer.startBatch(outbox);
        }
        return encryptBatch(place);
    }

    private boolean startHandshakeForWrite(ChannelHandlerContext place) throws SSLException {
        if (!place.getChannel().isConnected()) {
            handshakeWaitsForConnection = true;
            return false;
        }
        startHandshake();
        return true;
    }

    private boolean encryptBatch(ChannelHandlerContext place) throws SSLException {
        if (writer.isBatchUsedUp()) {
            send(place, writer.endBatch(place.getChannel()));
            return true;
        }
        if (writer.isChunkFull()) {
            send(place, null);
        }
        return onWrapped(writer.encryptBatch());
    }

    /** Returns whether the engine did something, or wants something that it did not want before. */
    private boolean onWrapped(SSLEngineResult result) {
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
            onHandshakeDone();
        }
        if (result.getStatus() == Status.CLOSED && result.bytesProduced() == 0) {
            stage = Stage.CLOSING;
            writer.failBatch(new ClosedChannelException());
            return true;
        }
        return result.bytesProduced() > 0
                || result.getHandshakeStatus() != HandshakeStatus.NEED_WRAP
                        && result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    /** @param future completed when the ciphertext so far is sent; null if nobody waits for it */
    private void send(ChannelHandlerContext place, ChannelFuture future) {
        ChannelBuffer ciphertext = writer.take();
        if (ciphertext == null && future == null) {
            return;
        }
        Channels.write(
                place,
                future != null ? future : Channels.future(place.getChannel()),
                ciphertext != null ? ciphertext : ChannelBuffers.EMPTY_BUFFER);
    }

    // ---- closing ----

    private boolean closeOutbound(ChannelHandlerContext place) {
        ClosedChannelException closed = new ClosedChannelException();
        writer.failBatch(closed);
        outbox.failMessages(closed);
        sayGoodbye();
        return true;
    }

    /** Sends close_notify, or the alert that tells why we give up. */
    private void sayGoodbye() {
        boolean silent = stage == Stage.IDLE || !ctx.getChannel().isConnected();
        if (stage != Stage.CLOSED) {
            stage = Stage.CLOSING;
        }
        cancelDeadline();
        try {
            engine.closeOutbound();
            while (!silent
                    && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                    && writer.encryptNothing().bytesProduced() > 0) {
                // an engine may have something to send before its alert
            }
        } catch (SSLException e) {
            // It has failed before, or has nothing to say.
        }
        send(ctx, null);
    }

    /** Nothing is encrypted any more. Returns whether there was a request. */
    private boolean refuseRequest(ChannelHandlerContext place) {
        ChannelEvent e = outbox.poll();
        if (e != null) {
            refuse(place, e, new ClosedChannelException());
        }
        return e != null;
    }

    private static void refuse(ChannelHandlerContext place, ChannelEvent e, Throwable cause) {
        if (e instanceof ChannelStateEvent) {
            place.sendDownstream(e);
        } else if (((MessageEvent) e).getMessage() == CLOSE_NOTIFY) {
            e.getFuture().setSuccess();
        } else {
            e.getFuture().setFailure(cause);
        }
    }

    /** Gives the connection up. */
    private void fail(Throwable cause) {
        ChannelHandlerContext place = ctx;
        if (stage == Stage.CLOSED) {
            return;
        }
        sayGoodbye();
        end(cause, cause);
        Channels.fireExceptionCaught(place, cause);
        if (closeOnSSLException) {
            Channels.close(place, Channels.future(place.getChannel()));
        }
    }

    /** Completes all that waits. */
    private void end(Throwable cause, Throwable inboundCause) {
        stage = Stage.CLOSED;
        cancelDeadline();
        writer.failBatch(cause);
        outbox.failMessages(cause);
        handshakeFuture.get().setFailure(cause);
        inboundCloseFuture.setFailure(inboundCause);
    }

    private void onConnectionEnd() {
        if (stage == Stage.CLOSING) {
            inboundCloseFuture.setSuccess(); // it was we who ended it
        }
        if (stage != Stage.CLOSED) {
            engine.closeOutbound();
            end(new ClosedChannelException(), new SSLException("the connection ended without the peer's close_notify"));
        }
    }

    // ---- the channel's life ----

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        boolean outermost = beginTurn();
        try {
            if (issueHandshake) {
                handshakeFuture.get().addListener(future -> {
                    if (future.isSuccess()) {
                        ctx.sendUpstream(e);
                    }
                });
            }
            onConnected();
            if (!issueHandshake) {
                ctx.sendUpstream(e);
            }
        } finally {
            endTurn(outermost);
        }
    }

    private void onConnected() {
        if (stage != Stage.IDLE) {
            return;
        }
        if (issueHandshake || handshakeWaitsForConnection) {
            tryToStartHandshake();
        } else if (!engine.getUseClientMode() && !passesNextWrite.get()) {
            startDeadline();
        }
    }

    @Override
    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        boolean outermost = beginTurn();
        try {
            onConnectionEnd();
            super.channelDisconnected(ctx, e);
        } finally {
            endTurn(outermost);
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        boolean outermost = beginTurn();
        try {
            onConnectionEnd();
            super.channelClosed(ctx, e);
        } finally {
            endTurn(outermost);
        }
    }

    /** After our close_notify, that the peer cut the connection is no news: the channel is closed, and that is all. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        boolean connectionLost = e.getCause() instanceof IOException && !(e.getCause() instanceof SSLException);
        if (connectionLost && (stage == Stage.CLOSING || stage == Stage.CLOSED)) {
            Channels.close(ctx, Channels.future(ctx.getChannel()));
        } else {
            ctx.sendUpstream(e);
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        this.ctx = ctx;
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        super.afterAdd(ctx);
        Channel channel = ctx.getChannel();
        if (channel != null && channel.isConnected()) {
            inTurn(ctx, this::onConnected);
        }
    }

    /** What was written and not sent fails; the channel stays open, without TLS. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getChannel() != null) {
            inTurn(ctx, this::onRemoved);
        }
        super.afterRemove(ctx);
    }

    private void onRemoved() {
        if (stage != Stage.CLOSED) {
            SSLException removed = new SSLException("the TLS handler was removed");
            end(removed, removed);
        }
        heldBack = false; // it is handed over to who comes next
    }
}
