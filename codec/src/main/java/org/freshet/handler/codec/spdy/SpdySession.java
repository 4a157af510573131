package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.DrainedWork;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.util.Timer;

/**
 * The state of a session: its streams, the SETTINGS of both sides, and its end. {@link SpdyReceiver} applies received frames,
 * {@link SpdyWriter} written ones.
 *
 * <pre>
 *   OPEN --&gt; GOING_AWAY (GOAWAY was sent; streams may end) --&gt; OUTPUT_ENDED (a server lets the client close) --&gt; ENDED (the channel closed)
 *     |           '------------------------ a client closes -------------------------------------------------------&gt;'
 *     '------------------------------------ a session error -------------------------------------------------------&gt;'
 * </pre>
 *
 * <p>After a session error nothing received counts, and a server lets the client close, too.
 *
 * <p>I/O thread only.
 */
final class SpdySession {
    static final int DEFAULT_WINDOW_BYTES = 64 * 1024;
    private static final int DEFAULT_MAX_STREAMS = 100;

    private enum State {
        OPEN,
        GOING_AWAY,
        OUTPUT_ENDED,
        ENDED
    }

    final SpdyStreams streams;
    final SpdyAbuseGuard guard;
    final SpdySender sender;
    final SpdyCredit credit = new SpdyCredit(this);
    final SpdyInbox inbox = new SpdyInbox(credit);
    final SpdyDeadlines deadlines;

    private State state = State.OPEN;
    private boolean receivedGoAway;
    private int lastGoodStreamId;

    /** The last stream that the peer has tried to open. It may have been refused. */
    private int lastTriedStreamId;

    // The SETTINGS of the peer and of this side.
    private int maxRemoteStreams = DEFAULT_MAX_STREAMS;
    private int maxOwnStreams = Integer.MAX_VALUE;
    private int streamReceiveBytes = DEFAULT_WINDOW_BYTES;
    private int streamSendBytes = DEFAULT_WINDOW_BYTES;

    private int unansweredPings;

    /** The close request that waits for the streams to end, or null. */
    private ChannelEvent closing;

    /** Null until a server's output ends. */
    private SpdyLinger linger;

    /** Null until the channel is drained. */
    private DrainedWork drained;

    private final Timer timer;

    /** @param timer null uses Freshet's own */
    SpdySession(SpdyStreams streams, SpdyAbuseGuard guard, Holding holding, SpdyTimeouts times, Timer timer) {
        this.timer = timer;
        this.streams = streams;
        this.guard = guard;
        sender = new SpdySender(streams, guard, holding, DEFAULT_WINDOW_BYTES);
        deadlines = new SpdyDeadlines(this, times, timer);
    }

    boolean isOver() {
        return state == State.ENDED;
    }

    /** Whether this side has sent a GOAWAY, or detected a session error. */
    boolean isEnding() {
        return state != State.OPEN;
    }

    /** Whether either side may open streams. */
    boolean acceptsStreams() {
        return !receivedGoAway && state == State.OPEN;
    }

    void onGoAway() {
        receivedGoAway = true;
    }

    // ---- pings ----

    void onPingWritten() {
        unansweredPings++;
    }

    /** Returns false if no ping is waiting for an answer. */
    boolean takePing() {
        boolean isDue = unansweredPings > 0;
        unansweredPings -= isDue ? 1 : 0;
        return isDue;
    }

    // ---- SETTINGS ----

    int maxOwnStreams() {
        return maxOwnStreams;
    }

    int maxRemoteStreams() {
        return maxRemoteStreams;
    }

    int streamReceiveBytes() {
        return streamReceiveBytes;
    }

    /** Applies the peer's SETTINGS. Returns false if a window overflows. */
    boolean applyPeers(SpdySettingsFrame frame) {
        if (frame.isSet(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS)) {
            maxOwnStreams = asLimit(frame.getValue(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS));
        }
        forgetPersisted(frame);
        if (!frame.isSet(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE)) {
            return true;
        }
        int window = frame.getValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE);
        return window >= 0 && changeSendWindows(window);
    }

    /** Returns false if a window overflows. */
    private boolean changeSendWindows(int window) {
        int delta = window - streamSendBytes;
        streamSendBytes = window;
        boolean fits = true;
        for (SpdyStream stream : streams.byUrgency()) {
            fits &= sender.widen(stream, delta);
        }
        return fits;
    }

    /** Applies SETTINGS sent by this side. */
    void applyOwn(SpdySettingsFrame frame) {
        if (frame.isSet(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS)) {
            maxRemoteStreams = asLimit(frame.getValue(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS));
        }
        forgetPersisted(frame);
        int window = frame.getValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE);
        if (window >= 0) {
            int delta = window - streamReceiveBytes;
            streamReceiveBytes = window;
            for (SpdyStream stream : streams.byUrgency()) {
                stream.receiveWindow += delta;
                stream.receiveWindowFloor = Math.min(0, delta);
            }
        }
    }

    /** This side doesn't remember settings between sessions, so it ignores a window that is marked as remembered. */
    private static void forgetPersisted(SpdySettingsFrame frame) {
        int window = SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE;
        if (frame.isPersisted(window)) {
            frame.removeValue(window);
        } else {
            frame.setPersistValue(window, false);
        }
    }

    /** Converts an unsigned number. */
    private static int asLimit(int value) {
        return value < 0 ? Integer.MAX_VALUE : value;
    }

    // ---- streams ----

    /** The peer tries to open a stream. It may still be refused. */
    void onOpenAttempt(int id) {
        lastTriedStreamId = Math.max(lastTriedStreamId, id);
    }

    /** Whether the peer might not yet know that the stream is over: it opened the stream, or tried to and was refused. */
    boolean mayBeLate(int id) {
        return streams.isRemoteId(id) && id <= lastTriedStreamId;
    }

    int lastGoodStreamId() {
        return lastGoodStreamId;
    }

    void openByPeer(SpdySynStreamFrame frame) {
        lastGoodStreamId = frame.getStreamId();
        open(frame, frame.isUnidirectional(), frame.isLast());
    }

    void openByUs(SpdySynStreamFrame frame) {
        open(frame, frame.isLast(), frame.isUnidirectional());
    }

    private void open(SpdySynStreamFrame frame, boolean isLocalClosed, boolean isRemoteClosed) {
        SpdyStream stream = new SpdyStream(
                frame.getStreamId(), frame.getPriority(), guard.nanoTime(), streamSendBytes, streamReceiveBytes);
        stream.isRemoteClosed = isRemoteClosed;
        if (isLocalClosed) {
            stream.sending = SpdyStream.Sending.CLOSED;
        }
        if (!stream.isClosed()) {
            streams.add(stream);
        }
    }

    void endRemote(ChannelHandlerContext ctx, SpdyStream stream) {
        stream.isRemoteClosed = true;
        if (stream.isClosed()) {
            streams.remove(stream.id);
            closeIfDrained(ctx);
        }
    }

    /** Forgets a stream, and fails everything that waits on it. Returns the stream, or null if it is not open. */
    SpdyStream dropStream(ChannelHandlerContext ctx, int id, Throwable cause) {
        SpdyStream stream = streams.remove(id);
        if (stream != null) {
            sender.drop(ctx, stream, cause);
            closeIfDrained(ctx);
        }
        return stream;
    }

    /** Resets or refuses a stream because of something the peer sent. */
    void reset(ChannelHandlerContext ctx, int id, SpdyStreamStatus status) throws SpdyProtocolException {
        guard.onReset();
        end(ctx, id, status);
    }

    /** Resets a stream, and notifies the handlers above unless the peer had already ended it. */
    void end(ChannelHandlerContext ctx, int id, SpdyStreamStatus status) {
        end(ctx, id, status, new SpdyProtocolException("the stream was reset: " + status));
    }

    /** Resets a stream whose data the peer doesn't accept. */
    void endStalled(ChannelHandlerContext ctx, SpdyStream stream, String why) {
        end(ctx, stream.id, SpdyStreamStatus.CANCEL, new SpdyProtocolException(why));
    }

    private void end(ChannelHandlerContext ctx, int id, SpdyStreamStatus status, SpdyProtocolException cause) {
        SpdyRstStreamFrame frame = new DefaultSpdyRstStreamFrame(id, status);
        send(ctx, frame);
        SpdyStream stream = dropStream(ctx, id, cause);
        if (stream != null && !stream.isRemoteClosed) {
            Channel channel = ctx.getChannel();
            inbox.deliver(ctx, new UpstreamMessageEvent(channel, frame, channel.getRemoteAddress()));
        }
    }

    // ---- input of handlers ----

    /** Handlers want to read, or to stop reading. */
    void readRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
        inbox.request(ctx, e);
        closeIfDrained(ctx);
    }

    // ---- answers ----

    /** Sends a frame in response to the peer. */
    void send(ChannelHandlerContext ctx, SpdyFrame frame) {
        guard.onAnswer();
        ChannelFuture sent = Channels.future(ctx.getChannel());
        sent.addListener(done -> guard.onAnswerSent());
        sendWhateverWaits(ctx, sent, frame);
    }

    /** Ignores the limit on waiting bytes: {@link SpdyAbuseGuard} bounds answers. */
    private static void sendWhateverWaits(ChannelHandlerContext ctx, ChannelFuture sent, Object message) {
        Channel channel = ctx.getChannel();
        WriteAccount.passOn(ctx, new DownstreamMessageEvent(channel, sent, message, channel.getRemoteAddress()), 0);
    }

    /** Counts an answer that a handler above writes in response to the peer. */
    void countAnswer(MessageEvent answer) throws SpdyProtocolException {
        if (answer.getMessage() instanceof SpdyRstStreamFrame) {
            guard.onReset();
        }
        guard.onAnswer();
        answer.getFuture().addListener(done -> guard.onAnswerSent());
    }

    // ---- the end ----

    /** Ends the session because of an error. Has no effect once it is over or its output has ended. */
    void fail(ChannelHandlerContext ctx, Throwable cause) {
        if (isOver() || isOutputEnded()) {
            return;
        }
        boolean isFirst = state == State.OPEN;
        state = State.ENDED;
        try {
            Channels.noteCloseReason(ctx.getChannel(), CloseReason.of(CloseReason.Kind.PROTOCOL, null, cause));
            if (isFirst) {
                sendGoAway(ctx, SpdySessionStatus.PROTOCOL_ERROR);
            }
            deadlines.onClosing(ctx);
        } finally { // the timer may throw, and from ENDED on, nothing else ends the session
            closeAfterWrites(ctx);
        }
    }

    /** Closes without a GOAWAY: a peer that does not read would not see it, and would keep the connection open. */
    void abandon(ChannelHandlerContext ctx) {
        state = State.ENDED;
        ChannelEvent requested = closing;
        closing = null;
        SpdyProtocolException cause = new SpdyProtocolException(
                "the peer does not read its answers: more than " + SpdyAbuseGuard.MAX_UNSENT_ANSWERS + " are waiting");
        Channels.noteCloseReason(ctx.getChannel(), CloseReason.of(CloseReason.Kind.PROTOCOL, null, cause));
        passCloseOn(ctx, requested);
    }

    /** The peer took too long to let a close finish, or to accept waiting data. */
    void closeTimedOut(ChannelHandlerContext ctx, String why) {
        state = State.ENDED;
        Channels.noteCloseReason(ctx.getChannel(), CloseReason.of(CloseReason.Kind.TIMED_OUT, why));
        ChannelEvent requested = closing;
        closing = null;
        passCloseOn(ctx, requested);
    }

    /** @param requested null if no handler has requested the close */
    static void passCloseOn(ChannelHandlerContext ctx, ChannelEvent requested) {
        if (requested == null) {
            Channels.close(ctx, Channels.future(ctx.getChannel()));
        } else {
            ctx.sendDownstream(requested);
        }
    }

    private void sendGoAway(ChannelHandlerContext ctx, SpdySessionStatus status) {
        send(ctx, new DefaultSpdyGoAwayFrame(lastGoodStreamId, status));
    }

    void closeRequested(ChannelHandlerContext ctx, ChannelEvent evt) {
        if (linger != null && linger.join(evt)) {
            return;
        }
        if (!ctx.getChannel().isConnected() || state != State.OPEN) {
            ctx.sendDownstream(evt);
            return;
        }
        state = State.GOING_AWAY;
        closing = evt;
        try {
            deadlines.onClosing(ctx);
        } finally { // even if the timer refuses: nothing else closes the session
            sendGoAway(ctx, SpdySessionStatus.OK);
            closeIfDrained(ctx);
        }
    }

    void closeIfDrained(ChannelHandlerContext ctx) {
        if (closing != null && streams.isEmpty() && inbox.isEmpty()) {
            state = streams.isServer() ? State.OUTPUT_ENDED : state;
            closeAfterWrites(ctx);
        }
    }

    private void closeAfterWrites(ChannelHandlerContext ctx) {
        ChannelEvent requested = closing;
        closing = null;
        if (streams.isServer()) {
            linger = new SpdyLinger(ctx, requested, timer);
            linger.begin();
        } else {
            afterWrites(ctx, () -> passCloseOn(ctx, requested));
        }
    }

    /** Whether output has ended, so whatever arrives has no effect. */
    boolean isOutputEnded() {
        return state == State.OUTPUT_ENDED;
    }

    /** The peer has ended its output. A client gets no more answers then. */
    void onInputEnd(ChannelHandlerContext ctx) {
        if (!streams.isServer()) {
            state = State.ENDED;
            Channels.noteCloseReason(ctx.getChannel(), CloseReason.PEER_CLOSED);
            ChannelEvent requested = closing;
            closing = null;
            passCloseOn(ctx, requested);
        } else if (linger != null) {
            linger.end();
        }
    }

    /** The channel is being drained: its streams may end. */
    void drain(ChannelHandlerContext ctx, DrainEvent event) {
        drained = new DrainedWork(ctx, event, "streams", () -> !streams.isEmpty());
        streams.onChange(drained::update);
        drained.update();
    }

    /** Runs a task once all earlier writes were sent or have failed. */
    private static void afterWrites(ChannelHandlerContext ctx, Runnable task) {
        ChannelFuture sent = Channels.future(ctx.getChannel());
        sent.addListener(done -> task.run());
        sendWhateverWaits(ctx, sent, ChannelBuffers.EMPTY_BUFFER);
    }

    void onClosed(ChannelHandlerContext ctx) {
        state = State.ENDED;
        if (linger != null) {
            linger.onClosed();
        }
        deadlines.stop();
        inbox.clear();
        if (closing != null) {
            closing.getFuture().setSuccess();
            closing = null;
        }
        if (streams.hasUnanswered()) {
            streams.onChange(null); // these are lost, so they keep holding a drain
        }
        dropStreams(ctx);
    }

    /** The handler is being removed. The channel may stay open; a close that waits for the streams is passed on. */
    void onRemoved(ChannelHandlerContext ctx) {
        state = State.ENDED;
        deadlines.stop();
        inbox.clear();
        ChannelEvent requested = closing;
        closing = null;
        boolean hasLost = streams.hasUnanswered();
        streams.onChange(null);
        dropStreams(ctx);
        if (drained != null) {
            endDrain(hasLost);
        }
        if (requested != null) {
            ctx.sendDownstream(requested);
        }
    }

    private void endDrain(boolean hasLost) {
        if (hasLost) {
            drained.abandon();
        } else {
            drained.update();
        }
    }

    private void dropStreams(ChannelHandlerContext ctx) {
        Throwable cause = UnsentMessage.causeOfClosed(ctx.getChannel());
        for (SpdyStream stream : streams.byUrgency()) {
            dropStream(ctx, stream.id, cause);
        }
    }
}
