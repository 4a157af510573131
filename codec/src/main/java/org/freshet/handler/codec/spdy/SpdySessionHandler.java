package org.freshet.handler.codec.spdy;

import java.util.Objects;
import java.util.function.LongSupplier;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflowException;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;

/**
 * Keeps the rules of a SPDY/3.1 session: which streams there are, how much data may be sent and received on each of them and
 * on all together, who may open how many. Goes behind {@link SpdyFrameCodec}.
 *
 * <ul>
 * <li>The peer may have 100 streams open at once, or as many as written SETTINGS say. More are refused with REFUSED_STREAM.
 * <li>Written data waits for the windows of the peer, streams of lower {@linkplain SpdySynStreamFrame#getPriority() priority
 *     numbers} first. Windows of received data are renewed as it arrives.
 * <li>The peer's pings are answered here. WINDOW_UPDATE and GOAWAY are sent by this handler alone; writing them fails.
 * <li>To close the channel sends GOAWAY first, and closes when all streams have ended; to close it again closes it at once.
 * <li>A server ends a session whose peer resets or makes it refuse more than 200 streams, and 20 a second, or sends more than 10,000
 *     frames that carry nothing, such as PING, and 1,000 a second. Both sides close a channel whose peer does not read 4,096 answers.
 * <li>A frame against the rules resets its stream, and RST_STREAM is passed on if the peer had not ended that. What leaves no
 *     common ground (a session error, a {@link SpdyProtocolException} of the codec) is answered with GOAWAY and closes the
 *     channel; nothing after it is handled.
 * </ul>
 *
 * <p>What waits for a window counts in the channel's {@link WriteAccount}. If {@code writeOverflow} has a write fail, its stream is reset
 * with INTERNAL_ERROR: it lacks a frame.
 *
 * <p>SPDY was given up in 2016 and is for peers that you trust: nothing here bounds how long a peer may take. No pipeline that Freshet
 * makes contains it.
 *
 * <p>Writes against the rules fail with a {@link SpdyProtocolException}.
 *
 * <p>Threading: any thread may write; the session belongs to the channel's I/O thread, where everything is handled. Belongs to
 * one pipeline.
 */
@SuppressWarnings("exports") // HoldsOutput is between Freshet's modules
public class SpdySessionHandler extends SimpleChannelUpstreamHandler implements ChannelDownstreamHandler, HoldsOutput {
    private static final int DEFAULT_WINDOW_BYTES = 64 * 1024;
    private static final int DEFAULT_MAX_STREAMS = 100;

    private enum State {
        OPEN,
        /** GOAWAY was sent; streams may end. */
        GOING_AWAY,
        /** A session error was found, or the channel closed. */
        ENDED
    }

    private final int minorVersion;
    private final SpdyStreams streams;
    private final SpdyAbuseGuard guard;
    private final SpdySender sender;

    /** Data that waits for windows, and frames on their way to the I/O thread. */
    private final Holding holding = new Holding();

    /** What the session's window is renewed to. */
    private volatile int sessionReceiveBytes = DEFAULT_WINDOW_BYTES;

    // I/O thread only.
    private State state = State.OPEN;
    private boolean receivedGoAway;
    private int lastGoodStreamId;
    private long sessionReceiveWindow = DEFAULT_WINDOW_BYTES;
    private int streamReceiveBytes = DEFAULT_WINDOW_BYTES;
    private int streamSendBytes = DEFAULT_WINDOW_BYTES;

    /** How many streams the peer may open, and this side. */
    private int maxRemoteStreams = DEFAULT_MAX_STREAMS;

    private int maxOwnStreams = Integer.MAX_VALUE;
    private int unansweredPings;

    /** The request to close that waits for the streams to end. */
    private ChannelEvent closing;

    /** @param server whether this is the server's end */
    public SpdySessionHandler(SpdyVersion spdyVersion, boolean server) {
        this(spdyVersion, server, System::nanoTime);
    }

    SpdySessionHandler(SpdyVersion spdyVersion, boolean server, LongSupplier nanoTime) {
        minorVersion = Objects.requireNonNull(spdyVersion, "spdyVersion").minorVersion();
        streams = new SpdyStreams(server);
        guard = new SpdyAbuseGuard(server, nanoTime);
        sender = new SpdySender(streams, guard, holding, DEFAULT_WINDOW_BYTES);
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
        sessionReceiveBytes = sessionReceiveWindowSize;
    }

    // ---- received frames ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (state == State.ENDED && e.getMessage() instanceof SpdyFrame) {
            return;
        }
        if (isPassedOn(ctx, e.getMessage()) && state != State.ENDED) {
            ctx.sendUpstream(e);
        }
    }

    private boolean isPassedOn(ChannelHandlerContext ctx, Object message) {
        try {
            boolean result = receive(ctx, message);
            if (guard.hasTooManyUnsent()) {
                abandon(ctx);
            }
            return result;
        } catch (SpdyProtocolException abuse) {
            failSession(ctx, abuse);
            return false;
        }
    }

    private boolean receive(ChannelHandlerContext ctx, Object message) throws SpdyProtocolException {
        if (message instanceof SpdyDataFrame frame) {
            return receiveData(ctx, frame);
        }
        if (message instanceof SpdySynStreamFrame frame) {
            return receiveSynStream(ctx, frame);
        }
        if (message instanceof SpdySynReplyFrame frame) {
            return receiveSynReply(ctx, frame);
        }
        if (message instanceof SpdyHeadersFrame frame) {
            return receiveHeaders(ctx, frame);
        }
        if (message instanceof SpdyRstStreamFrame frame) {
            receiveReset(ctx, frame);
            return true;
        }
        if (message instanceof SpdyWindowUpdateFrame frame) {
            guard.onWindowUpdate();
            receiveWindowUpdate(ctx, frame);
            return false;
        }
        if (message instanceof SpdySettingsFrame frame) {
            guard.onIdleFrame();
            return receiveSettings(ctx, frame);
        }
        if (message instanceof SpdyPingFrame frame) {
            guard.onIdleFrame();
            return receivePing(ctx, frame);
        }
        if (message instanceof SpdyGoAwayFrame) {
            guard.onIdleFrame();
            receivedGoAway = true;
        }
        return true;
    }

    private void receiveReset(ChannelHandlerContext ctx, SpdyRstStreamFrame frame) throws SpdyProtocolException {
        String why = "the peer reset the stream: " + frame.getStatus();
        SpdyStream stream = dropStream(ctx, frame.getStreamId(), new SpdyProtocolException(why));
        if (stream == null) {
            guard.onIdleFrame();
        } else {
            guard.onResetByPeer(stream);
        }
    }

    private boolean receiveData(ChannelHandlerContext ctx, SpdyDataFrame frame) throws SpdyProtocolException {
        int length = frame.getData().readableBytes();
        if (length == 0 && !frame.isLast()) {
            guard.onIdleFrame();
        }
        if (!consumeSessionWindow(ctx, length)) {
            return false;
        }
        int id = frame.getStreamId();
        SpdyStream stream = streams.get(id);
        if (stream == null) {
            if (id <= lastGoodStreamId) {
                reset(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
            } else if (state == State.OPEN) {
                reset(ctx, id, SpdyStreamStatus.INVALID_STREAM);
            }
            return false;
        }
        if (stream.isRemoteClosed) {
            return refuse(ctx, id, SpdyStreamStatus.STREAM_ALREADY_CLOSED);
        }
        if (!streams.isRemoteId(id) && !stream.hasReply) {
            return refuse(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        stream.receiveWindow -= length;
        if (stream.receiveWindow < stream.receiveWindowFloor) {
            return refuse(ctx, id, SpdyStreamStatus.FLOW_CONTROL_ERROR);
        }
        if (frame.isLast()) {
            endRemote(ctx, stream);
        } else if (stream.receiveWindow <= streamReceiveBytes / 2) {
            renewWindow(ctx, stream);
        }
        return true;
    }

    /** Returns false if the peer sent more than it may. */
    private boolean consumeSessionWindow(ChannelHandlerContext ctx, int length) {
        sessionReceiveWindow -= length;
        if (sessionReceiveWindow < 0) {
            failSession(ctx, new SpdyProtocolException("the session's window was exceeded"));
            return false;
        }
        int full = sessionReceiveBytes;
        if (sessionReceiveWindow <= full / 2 && sessionReceiveWindow < full) {
            int delta = (int) (full - sessionReceiveWindow);
            sessionReceiveWindow = full;
            send(ctx, new DefaultSpdyWindowUpdateFrame(SpdyWire.SESSION, delta));
        }
        return true;
    }

    private void renewWindow(ChannelHandlerContext ctx, SpdyStream stream) {
        long delta = streamReceiveBytes - stream.receiveWindow;
        stream.receiveWindow = streamReceiveBytes;
        stream.receiveWindowFloor = 0;
        if (delta > 0) {
            send(ctx, new DefaultSpdyWindowUpdateFrame(stream.id, (int) delta));
        }
    }

    private boolean receiveSynStream(ChannelHandlerContext ctx, SpdySynStreamFrame frame) throws SpdyProtocolException {
        int id = frame.getStreamId();
        if (frame.isInvalid() || !streams.isRemoteId(id) || streams.get(id) != null) {
            return refuse(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        if (id <= lastGoodStreamId) {
            failSession(ctx, new SpdyProtocolException("a stream id that is not above those before"));
            return false;
        }
        if (receivedGoAway || state != State.OPEN || streams.count(true) >= maxRemoteStreams) {
            return refuse(ctx, id, SpdyStreamStatus.REFUSED_STREAM);
        }
        lastGoodStreamId = id;
        open(frame, frame.isUnidirectional(), frame.isLast());
        return true;
    }

    private boolean receiveSynReply(ChannelHandlerContext ctx, SpdySynReplyFrame frame) throws SpdyProtocolException {
        int id = frame.getStreamId();
        SpdyStream stream = streams.get(id);
        if (frame.isInvalid() || streams.isRemoteId(id) || stream == null || stream.isRemoteClosed) {
            return refuse(ctx, id, SpdyStreamStatus.INVALID_STREAM);
        }
        if (stream.hasReply) {
            return refuse(ctx, id, SpdyStreamStatus.STREAM_IN_USE);
        }
        stream.hasReply = true;
        if (frame.isLast()) {
            endRemote(ctx, stream);
        }
        return true;
    }

    private boolean receiveHeaders(ChannelHandlerContext ctx, SpdyHeadersFrame frame) throws SpdyProtocolException {
        int id = frame.getStreamId();
        guard.onIdleFrame();
        if (frame.isInvalid()) {
            return refuse(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        SpdyStream stream = streams.get(id);
        if (stream == null || stream.isRemoteClosed) {
            return refuse(ctx, id, SpdyStreamStatus.INVALID_STREAM);
        }
        if (frame.isLast()) {
            endRemote(ctx, stream);
        }
        return true;
    }

    private void receiveWindowUpdate(ChannelHandlerContext ctx, SpdyWindowUpdateFrame frame)
            throws SpdyProtocolException {
        if (frame.getStreamId() == SpdyWire.SESSION) {
            if (sender.widenSession(frame.getDeltaWindowSize())) {
                sender.flushAll(ctx);
                closeIfDrained(ctx);
            } else {
                failSession(ctx, new SpdyProtocolException("the session's window was overflowed"));
            }
            return;
        }
        SpdyStream stream = streams.get(frame.getStreamId());
        if (stream == null || stream.sending == SpdyStream.Sending.CLOSED) {
            return;
        }
        if (sender.widen(stream, frame.getDeltaWindowSize())) {
            sender.flush(ctx, stream);
            closeIfDrained(ctx);
        } else {
            reset(ctx, stream.id, SpdyStreamStatus.FLOW_CONTROL_ERROR);
        }
    }

    private boolean receiveSettings(ChannelHandlerContext ctx, SpdySettingsFrame frame) {
        if (frame.isSet(SpdySettingsFrame.SETTINGS_MINOR_VERSION)
                && frame.getValue(SpdySettingsFrame.SETTINGS_MINOR_VERSION) != minorVersion) {
            failSession(ctx, new SpdyProtocolException("SETTINGS for another minor version"));
            return false;
        }
        if (frame.isSet(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS)) {
            maxOwnStreams = asLimit(frame.getValue(SpdySettingsFrame.SETTINGS_MAX_CONCURRENT_STREAMS));
        }
        forgetPersisted(frame);
        if (!frame.isSet(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE)) {
            return true;
        }
        int window = frame.getValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE);
        if (window < 0 || !changeSendWindows(window)) {
            failSession(ctx, new SpdyProtocolException("an initial window that is too large"));
            return false;
        }
        sender.flushAll(ctx);
        closeIfDrained(ctx);
        return true;
    }

    /** Nothing is remembered for the next session, so a window that is said to be remembered is none of this side's. */
    private static void forgetPersisted(SpdySettingsFrame frame) {
        int window = SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE;
        if (frame.isPersisted(window)) {
            frame.removeValue(window);
        } else {
            frame.setPersistValue(window, false);
        }
    }

    /** An unsigned number. */
    private static int asLimit(int value) {
        return value < 0 ? Integer.MAX_VALUE : value;
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

    private boolean receivePing(ChannelHandlerContext ctx, SpdyPingFrame frame) {
        if (streams.isRemoteId(frame.getId())) {
            send(ctx, frame);
            return false;
        }
        if (unansweredPings == 0) {
            return false;
        }
        unansweredPings--;
        return true;
    }

    // ---- what is written ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof MessageEvent e) {
            write(ctx, e);
        } else if (OnIoThread.isEndRequest(evt)) {
            OnIoThread.handle(ctx, evt, () -> closeRequested(ctx, evt));
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
        ctx.getPipeline().execute(() -> write(ctx, frame)).addListener(done -> {
            if (!done.isSuccess()) {
                sender.fail(ctx, frame, done.getCause());
            }
        });
    }

    private void endStreamThatLacksAFrame(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof SpdyStreamFrame frame
                && !(frame instanceof SpdySynStreamFrame)
                && e.getFuture().getCause() instanceof WriteOverflowException) {
            ctx.getPipeline().execute(() -> {
                SpdyStream stream = streams.get(frame.getStreamId());
                if (stream != null && stream.sending == SpdyStream.Sending.OPEN) {
                    end(ctx, stream.id, SpdyStreamStatus.INTERNAL_ERROR);
                }
            });
        }
    }

    private void write(ChannelHandlerContext ctx, SpdyStream.Waiting frame) {
        try {
            String refusal = refusal(ctx, frame);
            if (refusal != null) {
                sender.fail(ctx, frame, new SpdyProtocolException(refusal));
            }
        } catch (SpdyProtocolException abuse) {
            sender.fail(ctx, frame, abuse);
            failSession(ctx, abuse);
        } catch (RuntimeException failure) {
            sender.fail(ctx, frame, failure);
            Channels.fireExceptionCaught(ctx, failure);
        }
    }

    /** Sends the message or makes it wait. Returns why not, or null. */
    private String refusal(ChannelHandlerContext ctx, SpdyStream.Waiting waiting) throws SpdyProtocolException {
        if (waiting.written.write() instanceof PeerCausedWrite) {
            countAnswer(waiting.written);
        }
        Object message = waiting.written.getMessage();
        if (message instanceof SpdyDataFrame frame) {
            return writeOnStream(ctx, waiting, frame);
        }
        if (message instanceof SpdySynStreamFrame frame) {
            return writeSynStream(ctx, waiting, frame);
        }
        if (message instanceof SpdySynReplyFrame frame) {
            return streams.isRemoteId(frame.getStreamId())
                    ? writeOnStream(ctx, waiting, frame)
                    : "SYN_REPLY to a stream of this side: " + frame.getStreamId();
        }
        if (message instanceof SpdyHeadersFrame frame) {
            return writeOnStream(ctx, waiting, frame);
        }
        if (message instanceof SpdyGoAwayFrame || message instanceof SpdyWindowUpdateFrame) {
            return "the session handler itself sends such frames: "
                    + message.getClass().getSimpleName();
        }
        if (message instanceof SpdyPingFrame frame) {
            if (streams.isRemoteId(frame.getId())) {
                return "PING with an ID of the peer's: " + frame.getId();
            }
            unansweredPings++;
        } else if (message instanceof SpdySettingsFrame frame) {
            applyOwnSettings(frame);
        } else if (message instanceof SpdyRstStreamFrame frame) {
            dropStream(
                    ctx, frame.getStreamId(), new SpdyProtocolException("the stream was reset: " + frame.getStatus()));
        }
        sender.pass(ctx, waiting);
        return null;
    }

    private String writeOnStream(ChannelHandlerContext ctx, SpdyStream.Waiting waiting, SpdyStreamFrame frame) {
        SpdyStream stream = streams.get(frame.getStreamId());
        if (stream == null || stream.sending != SpdyStream.Sending.OPEN) {
            return "no such stream that this side may send on: " + frame.getStreamId();
        }
        sender.write(ctx, stream, waiting);
        closeIfDrained(ctx);
        return null;
    }

    private String writeSynStream(ChannelHandlerContext ctx, SpdyStream.Waiting waiting, SpdySynStreamFrame frame) {
        int id = frame.getStreamId();
        if (streams.isRemoteId(id)) {
            return "SYN_STREAM with an ID of the peer's: " + id;
        }
        if (streams.get(id) != null) {
            return "SYN_STREAM with the ID of an open stream: " + id;
        }
        if (receivedGoAway || state != State.OPEN) {
            return "SYN_STREAM in a session that ends: " + id;
        }
        if (streams.count(false) >= maxOwnStreams) {
            return "open streams of this side >= " + maxOwnStreams + ", the peer's limit";
        }
        open(frame, frame.isLast(), frame.isUnidirectional());
        sender.pass(ctx, waiting);
        return null;
    }

    private void applyOwnSettings(SpdySettingsFrame frame) {
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

    // ---- streams ----

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

    private void endRemote(ChannelHandlerContext ctx, SpdyStream stream) {
        stream.isRemoteClosed = true;
        if (stream.isClosed()) {
            streams.remove(stream.id);
            closeIfDrained(ctx);
        }
    }

    /** Forgets a stream, and fails what waits to be sent on it. Returns it, or null if there is none. */
    private SpdyStream dropStream(ChannelHandlerContext ctx, int id, Exception cause) {
        SpdyStream stream = streams.remove(id);
        if (stream != null) {
            sender.drop(ctx, stream, cause);
            closeIfDrained(ctx);
        }
        return stream;
    }

    private boolean refuse(ChannelHandlerContext ctx, int id, SpdyStreamStatus status) throws SpdyProtocolException {
        reset(ctx, id, status);
        return false;
    }

    private void reset(ChannelHandlerContext ctx, int id, SpdyStreamStatus status) throws SpdyProtocolException {
        guard.onReset();
        end(ctx, id, status);
    }

    /** Resets a stream, and notifies the handlers above if the peer had not ended it. */
    private void end(ChannelHandlerContext ctx, int id, SpdyStreamStatus status) {
        SpdyRstStreamFrame frame = new DefaultSpdyRstStreamFrame(id, status);
        send(ctx, frame);
        SpdyStream stream = dropStream(ctx, id, new SpdyProtocolException("the stream was reset: " + status));
        if (stream != null && !stream.isRemoteClosed) {
            Channels.fireMessageReceived(ctx, frame, ctx.getChannel().getRemoteAddress());
        }
    }

    /** For frames that the peer makes this side send. */
    private void send(ChannelHandlerContext ctx, SpdyFrame frame) {
        guard.onAnswer();
        ChannelFuture sent = Channels.future(ctx.getChannel());
        sent.addListener(done -> guard.onAnswerSent());
        sendWhateverWaits(ctx, sent, frame);
    }

    /** No limit of what waits applies: {@link SpdyAbuseGuard} has a bound for answers. */
    private static void sendWhateverWaits(ChannelHandlerContext ctx, ChannelFuture sent, Object message) {
        Channel channel = ctx.getChannel();
        WriteAccount.passOn(ctx, new DownstreamMessageEvent(channel, sent, message, channel.getRemoteAddress()), 0);
    }

    /** A handler above writes it because of what the peer has sent. */
    private void countAnswer(MessageEvent answer) throws SpdyProtocolException {
        if (answer.getMessage() instanceof SpdyRstStreamFrame) {
            guard.onReset();
        }
        guard.onAnswer();
        answer.getFuture().addListener(done -> guard.onAnswerSent());
    }

    // ---- the end of the session ----

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        if (e.getCause() instanceof SpdyProtocolException && state != State.ENDED) {
            failSession(ctx, e.getCause());
        }
        ctx.sendUpstream(e);
    }

    private void failSession(ChannelHandlerContext ctx, Throwable cause) {
        boolean isFirst = state == State.OPEN;
        state = State.ENDED;
        ChannelFuture close = closing == null ? Channels.future(ctx.getChannel()) : closing.getFuture();
        closing = null;
        Channels.noteCloseReason(ctx.getChannel(), CloseReason.of(CloseReason.Kind.PROTOCOL, null, cause));
        if (isFirst) {
            sendGoAway(ctx, SpdySessionStatus.PROTOCOL_ERROR);
        }
        afterWrites(ctx, () -> Channels.close(ctx, close));
    }

    /** A peer that does not read would keep the connection open, and does not get to see a GOAWAY. */
    private void abandon(ChannelHandlerContext ctx) {
        state = State.ENDED;
        closing = null;
        SpdyProtocolException cause = new SpdyProtocolException(
                "more than " + SpdyAbuseGuard.MAX_UNSENT_ANSWERS + " answers that the peer does not read");
        Channels.noteCloseReason(ctx.getChannel(), CloseReason.of(CloseReason.Kind.PROTOCOL, null, cause));
        Channels.close(ctx, Channels.future(ctx.getChannel()));
    }

    private void sendGoAway(ChannelHandlerContext ctx, SpdySessionStatus status) {
        send(ctx, new DefaultSpdyGoAwayFrame(lastGoodStreamId, status));
    }

    private void closeRequested(ChannelHandlerContext ctx, ChannelEvent evt) {
        if (!ctx.getChannel().isConnected() || state != State.OPEN) {
            ctx.sendDownstream(evt);
            return;
        }
        state = State.GOING_AWAY;
        closing = evt;
        sendGoAway(ctx, SpdySessionStatus.OK);
        closeIfDrained(ctx);
    }

    private void closeIfDrained(ChannelHandlerContext ctx) {
        if (closing != null && streams.isEmpty()) {
            sendClose(ctx);
        }
    }

    private void sendClose(ChannelHandlerContext ctx) {
        ChannelEvent evt = closing;
        closing = null;
        if (evt != null) {
            afterWrites(ctx, () -> ctx.sendDownstream(evt));
        }
    }

    /** Runs a task once everything that was written before was sent, or has failed. */
    private static void afterWrites(ChannelHandlerContext ctx, Runnable task) {
        ChannelFuture sent = Channels.future(ctx.getChannel());
        sent.addListener(done -> task.run());
        sendWhateverWaits(ctx, sent, ChannelBuffers.EMPTY_BUFFER);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        state = State.ENDED;
        if (closing != null) {
            closing.getFuture().setSuccess();
            closing = null;
        }
        for (SpdyStream stream : streams.byUrgency()) {
            dropStream(ctx, stream.id, ChannelClosedException.of(ctx.getChannel()));
        }
        ctx.sendUpstream(e);
    }
}
