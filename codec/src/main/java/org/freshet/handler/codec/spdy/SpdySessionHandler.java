package org.freshet.handler.codec.spdy;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.channel.WriteOverflowException;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.QuietProbe;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.ConnectionThread;
import org.freshet.internal.request.SerialChannel;
import org.freshet.util.Timer;

/**
 * Enforces the rules of a SPDY/3.1 session: stream states, flow control on each stream and on all together, and the number of
 * streams. Add it after {@link SpdyFrameCodec}.
 *
 * <ul>
 * <li>The peer may have 100 streams open at a time, or as many as the SETTINGS you write allow. Further ones are refused with
 * REFUSED_STREAM.
 * <li>Written data waits for the peer's windows; streams with lower {@linkplain SpdySynStreamFrame#getPriority() priority
 * numbers} go first. Receive windows are renewed as handlers get the data.
 * <li>A handler above that suspends reading with {@code setReadable(false)} gets no frames until it resumes. The channel is
 * still read for frames that open windows. Frames for handlers are held as far as the windows allow, up to 256.
 * <li>This handler answers the peer's pings. Only this handler sends WINDOW_UPDATE and GOAWAY; writing them fails.
 * <li>Closing the channel sends GOAWAY first. The channel closes when all streams have ended, or when they make no progress in
 * time. A second close request closes it immediately.
 * <li>A server ends the session if the peer resets, or makes it refuse, more than a burst of 200 streams or 20 per second. The
 * limit for frames that carry nothing, such as PING, is a burst of 10,000 or 1,000 per second; frames on streams that are over
 * count too. Both sides close the channel if the peer leaves 4,096 answers unread.
 * <li>An invalid frame resets its stream, and RST_STREAM is passed on unless the peer had already ended that stream. A fatal
 * error (a session error, or a {@link SpdyProtocolException} from the codec) is answered with GOAWAY and closes the channel;
 * nothing after it is processed.
 * <li>A server ends its output first, and closes the channel when the client does, or two seconds later. So a client that is
 * still sending can read the GOAWAY. {@link SpdyFrameCodec} drops up to 256 KiB of what it sends; then reading stops.
 * </ul>
 *
 * <p>Data that waits for a window counts in the channel's {@link WriteAccount}. If {@code writeOverflow} makes a write fail,
 * its stream is reset with INTERNAL_ERROR, because a frame is missing.
 *
 * <p>{@link SpdyTimeouts} limits how long a peer may keep its windows closed or a close waiting: 30 seconds by default.
 *
 * <p>SPDY was abandoned in 2016; use it only with peers you trust. None of Freshet's own pipelines contains it.
 *
 * <p>Invalid writes fail with a {@link SpdyProtocolException}.
 *
 * <p>Threading: any thread may write. The session belongs to the channel's I/O thread, which processes everything. Belongs to
 * one pipeline.
 */
@SuppressWarnings("exports") // HoldsOutput is internal to Freshet's modules
@ActsOn(EventKind.DISCONNECTED)
public class SpdySessionHandler extends SimpleChannelUpstreamHandler
        implements ChannelDownstreamHandler, LifeCycleAwareChannelHandler, HoldsOutput {
    /** Data that waits for windows, and frames on their way to the I/O thread. */
    private final Holding holding = new Holding();

    /** Null until the first request. */
    private final AtomicReference<ConnectionThread> thread = new AtomicReference<>();

    /** Streams that lack a frame because a write was refused, until they are reset: one task for each, however many writes. */
    private final Set<Integer> lackingAFrame = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean isCloseRequested = new AtomicBoolean();
    private final SpdySession session;
    private final SpdyReceiver receiver;
    private final SpdyWriter writer;

    /** @param server true on a server, false on a client */
    public SpdySessionHandler(SpdyVersion spdyVersion, boolean server) {
        this(spdyVersion, server, SpdyTimeouts.defaults(), null);
    }

    /**
     * Uses time-outs of your own.
     *
     * @param server true on a server, false on a client
     * @param timer never stopped by this handler; null uses Freshet's own
     */
    public SpdySessionHandler(SpdyVersion spdyVersion, boolean server, SpdyTimeouts timeouts, Timer timer) {
        this(spdyVersion, server, timeouts, timer, System::nanoTime);
    }

    SpdySessionHandler(
            SpdyVersion spdyVersion, boolean server, SpdyTimeouts timeouts, Timer timer, LongSupplier nanoTime) {
        Objects.requireNonNull(timeouts, "timeouts");
        int minorVersion = Objects.requireNonNull(spdyVersion, "spdyVersion").minorVersion();
        SpdyStreams streams = new SpdyStreams(server);
        SpdyAbuseGuard guard = new SpdyAbuseGuard(server, nanoTime);
        session = new SpdySession(streams, guard, holding, timeouts, timer);
        receiver = new SpdyReceiver(session, minorVersion);
        writer = new SpdyWriter(session);
    }

    /**
     * Sets how many bytes the peer may send on all streams before it has to wait. The initial and default size is 65,536. Takes
     * effect when the window is next renewed. Any thread may call this.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public void setSessionReceiveWindowSize(int sessionReceiveWindowSize) {
        if (sessionReceiveWindowSize < 0) {
            throw new IllegalArgumentException("sessionReceiveWindowSize < 0: " + sessionReceiveWindowSize);
        }
        session.credit.setSessionBytes(sessionReceiveWindowSize);
    }

    // ---- received frames ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if ((session.isOver() || session.isOutputEnded()) && e.getMessage() instanceof SpdyFrame) {
            return;
        }
        if (isPassedOn(ctx, e.getMessage()) && !session.isOver()) {
            session.inbox.deliver(ctx, e);
        }
    }

    private boolean isPassedOn(ChannelHandlerContext ctx, Object message) {
        try {
            boolean result = receiver.receive(ctx, message);
            if (session.guard.hasTooManyUnsent()) {
                session.abandon(ctx);
            }
            session.deadlines.watch(ctx);
            return result;
        } catch (SpdyProtocolException abuse) {
            session.fail(ctx, abuse);
            return false;
        }
    }

    // ---- written frames ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof MessageEvent e) {
            write(ctx, e);
        } else if (OnIoThread.isEndRequest(evt)) {
            close(ctx, evt);
        } else if (ReadSuspension.isReadRequest(evt)) {
            execute(ctx, evt, () -> session.readRequested(ctx, (ChannelStateEvent) evt));
        } else {
            ctx.sendDownstream(evt);
        }
    }

    /** Not for users: bytes that wait for the peer's windows. */
    @Override
    public long heldBytes(Object channel) {
        return holding.bytes();
    }

    /** Charges the frame, or lets {@code WriteOverflow} decide. That may block, so it happens on the caller's thread. */
    private void write(ChannelHandlerContext ctx, MessageEvent e) {
        long bytes =
                WriteAccount.bytesOf(e.getMessage() instanceof SpdyDataFrame data ? data.getData() : e.getMessage());
        boolean mustBeSent = e.getMessage() instanceof SpdyRstStreamFrame || e instanceof PeerCausedWrite;
        HeldWrite held = mustBeSent ? holding.charge(e, bytes) : holding.admit(e, bytes);
        if (held == null) {
            if (e.getFuture().getCause() instanceof WriteOverflowException) {
                endStreamThatLacksAFrame(ctx, e);
            }
            return;
        }
        boolean isAccepted = false;
        try {
            SpdyStream.Waiting frame = new SpdyStream.Waiting(held);
            thread(ctx).request(() -> send(ctx, frame));
            isAccepted = true;
        } finally {
            if (!isAccepted) { // no memory for the task; once there is one, nothing throws
                holding.release(held);
                endStreamThatLacksAFrame(ctx, e);
            }
        }
    }

    private void send(ChannelHandlerContext ctx, SpdyStream.Waiting frame) {
        if (!ctx.getChannel().isOpen()) {
            session.sender.fail(ctx, frame, UnsentMessage.causeOfClosed(ctx.getChannel()));
            return;
        }
        try {
            writer.write(ctx, frame);
            session.deadlines.watch(ctx);
        } catch (Throwable t) {
            session.sender.fail(ctx, frame, t);
            if (t instanceof VirtualMachineError) { // otherwise the frame was refused before any of it was queued
                endStreamThatLacksAFrame(ctx, frame.written);
            }
            throw t;
        }
    }

    private void execute(ChannelHandlerContext ctx, ChannelEvent e, OnIoThread.Task task) {
        thread(ctx).request(() -> OnIoThread.run(ctx, e, task));
    }

    /**
     * On a blocking transport, the I/O thread may be waiting for a peer that doesn't read, perhaps until the close. Even
     * the first request may be held up by that, so the second one doesn't ask the session.
     */
    private void close(ChannelHandlerContext ctx, ChannelEvent evt) {
        if (!SerialChannel.isWriteBlocking(ctx.getChannel())) {
            execute(ctx, evt, () -> session.closeRequested(ctx, evt));
        } else if (isCloseRequested.compareAndSet(false, true)) {
            SerialChannel.executeUrgently(ctx.getChannel(), () -> closeUrgently(ctx, evt));
        } else {
            SerialChannel.executeUrgently(ctx.getChannel(), () -> ctx.sendDownstream(evt));
        }
    }

    /** The requests before it may wait for the blocked thread. */
    private void closeUrgently(ChannelHandlerContext ctx, ChannelEvent evt) {
        thread(ctx).execute(() -> OnIoThread.run(ctx, evt, () -> session.closeRequested(ctx, evt)));
    }

    /** Keeps writes and other requests in one order, whatever thread they come from. */
    private ConnectionThread thread(ChannelHandlerContext ctx) {
        ConnectionThread present = thread.get();
        if (present == null) {
            thread.compareAndSet(null, new ConnectionThread(ctx.getChannel(), () -> {}));
            present = thread.get();
        }
        return present;
    }

    private void endStreamThatLacksAFrame(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof SpdyStreamFrame frame && !(frame instanceof SpdySynStreamFrame)) {
            endLater(ctx, frame.getStreamId());
        }
    }

    private void endLater(ChannelHandlerContext ctx, int id) {
        if (lackingAFrame.add(id)) {
            try {
                thread(ctx).request(() -> endIncomplete(ctx, id));
            } catch (Throwable t) { // out of memory: the next refused write tries again
                lackingAFrame.remove(id);
                throw t;
            }
        }
    }

    private void endIncomplete(ChannelHandlerContext ctx, int id) {
        lackingAFrame.remove(id);
        SpdyStream stream = session.streams.get(id);
        if (stream != null && stream.sending == SpdyStream.Sending.OPEN) {
            session.end(ctx, id, SpdyStreamStatus.INTERNAL_ERROR);
        }
    }

    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) throws Exception {
        session.deadlines.onWritten(e.getWrittenAmount());
        ctx.sendUpstream(e);
    }

    // ---- the end of the session ----

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        if (e.getCause() instanceof SpdyProtocolException) {
            session.fail(ctx, e.getCause());
        }
        ctx.sendUpstream(e);
    }

    /** Passes on everything received before the end; otherwise handlers would miss it. */
    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ConnectionThread connection = thread(ctx);
        if (connection.isCurrent()) {
            receive(ctx, e); // not as a task: we may be inside one, which must finish before the waiting ones
        } else { // a handler below runs events on its own thread
            Runnable handling = () -> OnIoThread.run(ctx, e, () -> receive(ctx, e));
            QuietProbe.move(ctx, e, connection::execute, handling);
        }
    }

    private void receive(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if ((e instanceof InputShutdownEvent || isEnd(e)) && !session.isOver()) {
            session.inbox.giveAll(ctx);
        }
        if (e instanceof InputShutdownEvent) {
            session.onInputEnd(ctx);
        }
        if (e instanceof DrainEvent drain) {
            session.drain(ctx, drain);
        }
        super.handleUpstream(ctx, e);
    }

    private static boolean isEnd(ChannelEvent e) {
        return e instanceof ChannelStateEvent change
                && change.getState() == ChannelState.CONNECTED
                && change.getValue() == null;
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        session.onClosed(ctx);
        ctx.sendUpstream(e);
    }

    /** The streams end, and what they have not sent fails. */
    @Override
    public void beforeRemove(ChannelHandlerContext ctx) {
        if (ctx.getPipeline().isAttached()) {
            thread(ctx).execute(() -> session.onRemoved(ctx));
        }
    }
}
