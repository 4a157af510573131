package org.freshet.handler.codec.spdy;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.channel.WriteOverflowException;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.request.ConnectionThread;
import org.freshet.util.Timer;

/**
 * Keeps the rules of a SPDY/3.1 session: which streams there are, how much data may be sent and received on each of them and
 * on all together, who may open how many. Goes behind {@link SpdyFrameCodec}.
 *
 * <ul>
 * <li>The peer may have 100 streams open at once, or as many as written SETTINGS say. More are refused with REFUSED_STREAM.
 * <li>Written data waits for the windows of the peer, streams of lower {@linkplain SpdySynStreamFrame#getPriority() priority
 *     numbers} first. Windows of received data are renewed as handlers get it.
 * <li>A handler above that suspends reading, by {@code setReadable(false)}, gets no frames until it resumes. The channel is read on for
 *     what opens windows; what comes for handlers is kept, as far as the windows allow, and up to 256 frames.
 * <li>The peer's pings are answered here. WINDOW_UPDATE and GOAWAY are sent by this handler alone; writing them fails.
 * <li>To close the channel sends GOAWAY first, and closes when all streams have ended, or nothing has ended them in time; to close it again
 *     closes it immediately.
 * <li>A server ends a session whose peer resets or makes it refuse more than 200 streams, and 20 a second, or sends more than 10,000
 *     frames that carry nothing, such as PING, and 1,000 a second; a frame of a stream that is over is one of these. Both sides close a
 *     channel whose peer does not read 4,096 answers.
 * <li>A frame against the rules resets its stream, and RST_STREAM is passed on if the peer had not ended that. What leaves no
 *     common ground (a session error, a {@link SpdyProtocolException} of the codec) is answered with GOAWAY and closes the
 *     channel; nothing after it is handled.
 * </ul>
 *
 * <p>What waits for a window counts in the channel's {@link WriteAccount}. If {@code writeOverflow} has a write fail, its stream is reset
 * with INTERNAL_ERROR: it lacks a frame.
 *
 * <p>A peer whose windows stay closed, or that keeps a close waiting, has the time that {@link SpdyTimeouts} say, 30 seconds by default.
 *
 * <p>SPDY was given up in 2016 and is for peers that you trust. No pipeline that Freshet makes contains it.
 *
 * <p>Writes against the rules fail with a {@link SpdyProtocolException}.
 *
 * <p>Threading: any thread may write; the session belongs to the channel's I/O thread, where everything is handled. Belongs to
 * one pipeline.
 */
@SuppressWarnings("exports") // HoldsOutput is between Freshet's modules
public class SpdySessionHandler extends SimpleChannelUpstreamHandler implements ChannelDownstreamHandler, HoldsOutput {
    /** Data that waits for windows, and frames on their way to the I/O thread. */
    private final Holding holding = new Holding();

    /** Null until something is asked. */
    private final AtomicReference<ConnectionThread> thread = new AtomicReference<>();

    private final SpdySession session;
    private final SpdyReceiver receiver;
    private final SpdyWriter writer;

    /** @param server whether this is the server's end */
    public SpdySessionHandler(SpdyVersion spdyVersion, boolean server) {
        this(spdyVersion, server, SpdyTimeouts.defaults(), null);
    }

    /**
     * Makes a handler with times of your own.
     *
     * @param server whether this is the server's end
     * @param timer is not stopped; null uses Freshet's own
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
     * Sets how many bytes the peer may send on all streams before it waits; by default and at the beginning 65,536. Takes
     * effect when the window is next renewed. Any thread.
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

    // ---- what is written ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof MessageEvent e) {
            write(ctx, e);
        } else if (OnIoThread.isEndRequest(evt)) {
            execute(ctx, evt, () -> session.closeRequested(ctx, evt));
        } else if (ReadSuspension.isReadRequest(evt)) {
            execute(ctx, evt, () -> session.readRequested(ctx, (ChannelStateEvent) evt));
        } else {
            ctx.sendDownstream(evt);
        }
    }

    /** Not for users: what waits for the peer's windows. */
    @Override
    public long heldBytes(Object channel) {
        return holding.bytes();
    }

    /** Charges the frame, or has {@code WriteOverflow} decide; that may block, and so belongs on the caller's thread. */
    private void write(ChannelHandlerContext ctx, MessageEvent e) {
        long bytes =
                WriteAccount.bytesOf(e.getMessage() instanceof SpdyDataFrame data ? data.getData() : e.getMessage());
        boolean mustBeSent = e.getMessage() instanceof SpdyRstStreamFrame || e instanceof PeerCausedWrite;
        HeldWrite held = mustBeSent ? holding.charge(e, bytes) : holding.admit(e, bytes);
        if (held == null) {
            endStreamThatLacksAFrame(ctx, e);
            return;
        }
        SpdyStream.Waiting frame = new SpdyStream.Waiting(held);
        thread(ctx).execute(() -> send(ctx, frame));
    }

    private void send(ChannelHandlerContext ctx, SpdyStream.Waiting frame) {
        if (!ctx.getChannel().isOpen()) {
            session.sender.fail(ctx, frame, ChannelClosedException.of(ctx.getChannel()));
            return;
        }
        try {
            writer.write(ctx, frame);
            session.deadlines.watch(ctx);
        } catch (Throwable t) { // without memory
            session.sender.fail(ctx, frame, t);
            throw t;
        }
    }

    private void execute(ChannelHandlerContext ctx, ChannelEvent e, OnIoThread.Task task) {
        thread(ctx).execute(() -> OnIoThread.run(ctx, e, task));
    }

    /** Keeps what is written, and what else is asked, in one order, whichever threads ask. */
    private ConnectionThread thread(ChannelHandlerContext ctx) {
        ConnectionThread present = thread.get();
        if (present == null) {
            thread.compareAndSet(null, new ConnectionThread(ctx.getChannel(), () -> {}));
            present = thread.get();
        }
        return present;
    }

    private void endStreamThatLacksAFrame(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof SpdyStreamFrame frame
                && !(frame instanceof SpdySynStreamFrame)
                && e.getFuture().getCause() instanceof WriteOverflowException) {
            thread(ctx).execute(() -> {
                SpdyStream stream = session.streams.get(frame.getStreamId());
                if (stream != null && stream.sending == SpdyStream.Sending.OPEN) {
                    session.end(ctx, stream.id, SpdyStreamStatus.INTERNAL_ERROR);
                }
            });
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
        if (e.getCause() instanceof SpdyProtocolException && !session.isOver()) {
            session.fail(ctx, e.getCause());
        }
        ctx.sendUpstream(e);
    }

    /** Handlers get what came before the end, which they would otherwise miss. */
    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ConnectionThread connection = thread(ctx);
        if (connection.isCurrent()) {
            receive(ctx, e); // not as a task: it may be within one, which those that wait are to follow
        } else { // a handler below runs events on a thread of its own
            connection.execute(() -> OnIoThread.run(ctx, e, () -> receive(ctx, e)));
        }
    }

    private void receive(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof InputShutdownEvent || isEnd(e) && !session.isOver()) {
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
}
