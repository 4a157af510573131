package org.freshet.handler.codec.http2;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.HandlersBelow;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.ConnectionThread;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * An HTTP/2 connection: its beginning and end, and the collaborators it's made of. {@link FrameHandler} acts on received
 * frames, {@link ConnectionStreams} manages the streams, {@link BatchWriter} sends, {@link Drain} shuts the connection down
 * gracefully, and {@link ConnectionEnd} closes its channel.
 *
 * <pre>
 *   STARTING ----&gt; SETTINGS (the peer's come first) ----&gt; OPEN ----&gt; DRAINING (after GOAWAY) ----&gt; CLOSED
 * </pre>
 *
 * <p>Belongs to its channel's I/O thread. {@link #request} and {@link #execute} move calls from other threads to it, in order.
 */
final class Connection {
    enum State {
        STARTING,
        SETTINGS,
        OPEN,
        DRAINING,
        CLOSED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Connection.class);

    private final ChannelHandlerContext ctx;
    private final Channel channel;

    /** The channel if it accounts for waiting writes, else null. */
    private final AbstractChannel sending;

    private final Http2Settings settings;

    /** Null for a client. */
    private final ChannelPipelineFactory requestPipelines;

    private final AbuseGuard guard;
    private final ConnectionThread thread;
    private final FrameReader reader;
    private final FrameWriter writer;
    private final ConnectionStreams streams;
    private final DataSender sender;
    private final BatchWriter batches;
    private final Credit credit;
    private final ConnectionDeadlines deadlines;
    private final Drain drain;
    private final ConnectionEnd end;
    private final Pings pings;
    private final PeerSettings peer;

    /** Created early, for when there is no memory. */
    private final SafetyTimer.Pending goOn = SafetyTimer.spare(() -> execute(this::onGoOn));

    private volatile State state = State.STARTING;

    /** Null until it is known. Any thread may set it, always to the same. */
    private volatile String scheme;

    // Why the streams end with the connection; null until it is CLOSED.
    private CloseReason endReason;
    private Throwable endCause;

    /** Null while in use. Creating one per head would be an eighth of what a request and its answer allocate. */
    private FieldList spareFields;

    /** @param requestPipelines creates the pipeline of each request on a server; null for a client */
    Connection(ChannelHandlerContext ctx, Http2Settings settings, ChannelPipelineFactory requestPipelines) {
        this.ctx = ctx;
        channel = ctx.getChannel();
        sending = channel instanceof AbstractChannel accounted ? accounted : null;
        this.settings = settings;
        this.requestPipelines = requestPipelines;
        guard = new AbuseGuard(
                settings.nanoClock(), OwnSettings.abuseLimits(settings, isServer()), settings.maxConcurrentStreams());
        thread = new ConnectionThread(channel, this::flush);
        HpackEncoder encoder = new HpackEncoder();
        peer = new PeerSettings(!isServer());
        writer = new FrameWriter(encoder);
        sender = new DataSender(this, writer, peer);
        batches = new BatchWriter(this, ctx, writer, sender);
        streams = new ConnectionStreams(this, writer, peer, sender);
        credit = new Credit(writer, streams, settings, OwnSettings.maxWindowSize(settings, isServer()));
        deadlines = new ConnectionDeadlines(this, streams, sender);
        drain = new Drain(this, ctx, writer, streams, deadlines, batches);
        end = new ConnectionEnd(this, ctx, deadlines, drain);
        pings = new Pings(writer, settings.nanoClock());
        FrameHandler handler = new FrameHandler(this, streams, writer, sender, peer, encoder, credit);
        reader = new FrameReader(handler, guard, settings.maxFrameSize());
    }

    Channel channel() {
        return channel;
    }

    AbstractChannel sending() {
        return sending;
    }

    Http2Settings settings() {
        return settings;
    }

    AbuseGuard guard() {
        return guard;
    }

    Credit credit() {
        return credit;
    }

    ConnectionStreams streams() {
        return streams;
    }

    ChannelPipelineFactory requestPipelines() {
        return requestPipelines;
    }

    boolean isServer() {
        return requestPipelines != null;
    }

    State state() {
        return state;
    }

    boolean acceptsStreams() {
        return state != State.DRAINING && state != State.CLOSED;
    }

    /** Any thread. Looked up once after the start: it allocates, and before that a proxy may be in between. */
    String scheme() {
        String known = scheme;
        if (known == null) {
            known = HandlersBelow.nearest(ctx, SslHandler.class) == null ? "http" : "https";
            if (state != State.STARTING) {
                scheme = known;
            }
        }
        return known;
    }

    // ---- threads ----

    boolean inIoThread() {
        return thread.isCurrent();
    }

    boolean onAwaitBegins(BooleanSupplier isDone) {
        return thread.onAwaitBegins(isDone);
    }

    void execute(Runnable task) {
        thread.execute(task);
    }

    void executeLater(Runnable task) {
        thread.executeLater(task);
    }

    /** Carries out an event from a stream's handlers. */
    void request(StreamChannel stream, ChannelEvent e) {
        if (thread.mayRun()) {
            thread.enter();
            try {
                StreamSink.INSTANCE.carryOut(stream, e);
            } finally {
                thread.leave();
            }
        } else {
            thread.request(() -> StreamSink.INSTANCE.carryOut(stream, e));
        }
    }

    /** Carries out a write that was charged to the stream's account. */
    void write(StreamChannel stream, MessageEvent e, long bytes) {
        if (thread.mayRun()) {
            thread.enter();
            try {
                stream.outbound.write(e, bytes);
            } finally {
                thread.leave();
            }
        } else {
            writeLater(stream, e, bytes);
        }
    }

    private void writeLater(StreamChannel stream, MessageEvent e, long bytes) {
        try {
            thread.request(() -> stream.outbound.write(e, bytes));
        } catch (Throwable t) { // no memory for the task; once there is one, nothing throws
            stream.release(bytes);
            throw t;
        }
    }

    // ---- beginning ----

    /** The channel is connected: sends our settings. */
    void start(byte[] preface) {
        thread.enter();
        try {
            begin(preface);
        } catch (Error noMemory) { // nothing limits the connection yet, and its streams would wait
            end.closeNow();
            throw noMemory;
        } finally {
            thread.leave();
        }
    }

    private void begin(byte[] preface) {
        state = State.SETTINGS;
        sendWithoutDelay();
        writer.writeRaw(preface);
        OwnSettings.write(writer, settings, isServer());
        credit.enlarge();
        deadlines.onStarted();
        streams.start();
    }

    /**
     * Frames are sent in batches as large as possible. If the system holds back the end of a batch until the peer acknowledges
     * its beginning, each of the peer's windows takes as long as the peer delays its acknowledgements.
     */
    private void sendWithoutDelay() {
        if (channel().getConfig() instanceof SocketChannelConfig config) {
            try {
                config.setTcpNoDelay(true);
            } catch (ChannelException e) {
                logger.debug(
                        "cannot set TCP_NODELAY: the socket is closed, or does not have the option: " + channel(), e);
            }
        }
    }

    /** Whether clients may open WebSocket connections on streams. */
    boolean acceptsWebSocket() {
        return OwnSettings.acceptsWebSocket(settings, isServer());
    }

    void onSettings() {
        if (state == State.SETTINGS) {
            state = State.OPEN;
        }
        peer.settle();
    }

    PeerSettings peer() {
        return peer;
    }

    void onAcknowledged() {
        deadlines.onAcknowledged();
    }

    void read(ChannelBuffer in) {
        deadlines.onReceived();
        thread.enter();
        try {
            if (state != State.CLOSED) {
                reader.read(in);
                deadlines.onCutFrame(reader.cutFrame());
                guard.onControlQueued(batches.unsentControl());
            }
        } catch (Http2Exception e) {
            end(e);
        } catch (RuntimeException | Error e) { // the rest of the read is lost, with fields that are in the peer's table
            endAfterFault(e);
        } finally {
            thread.leave();
        }
    }

    // ---- end ----

    private void endAfterFault(Throwable e) {
        try {
            Http2Exception fault = new Http2Exception(Http2Error.INTERNAL_ERROR, "a frame could not be processed");
            fault.initCause(e);
            end(fault);
        } catch (Error again) { // still without memory
            end.closeNow();
            throw again;
        }
    }

    /** Ends the connection because of something the peer did. */
    void end(Http2Exception cause) {
        end(cause, CloseReason.Kind.PROTOCOL);
    }

    /** Ends the connection because the peer missed a time-out. */
    void endTimedOut(Http2Exception cause) {
        end(cause, CloseReason.Kind.TIMED_OUT);
    }

    private void end(Http2Exception cause, CloseReason.Kind kind) {
        if (state == State.CLOSED) {
            return;
        }
        try {
            writer.writeGoAway(streams.lastTakenId(), cause.error(), cause.getMessage());
            CloseReason reason = CloseReason.of(kind, null, cause);
            Channels.noteCloseReason(channel(), reason);
            closeStreams(reason, cause);
            flush();
            Channels.fireExceptionCaught(ctx, cause);
        } finally { // without memory, too: from CLOSED on, nothing else ends the connection
            end.closeAfterWrites();
        }
    }

    /** Ends the connection without waiting, because the peer is gone or doesn't read. */
    void abort(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        Http2Exception cause = new Http2Exception(Http2Error.CANCEL, reason);
        CloseReason closeReason = CloseReason.of(CloseReason.Kind.TIMED_OUT, reason);
        Channels.noteCloseReason(channel(), closeReason);
        closeStreams(closeReason, cause);
        Channels.fireExceptionCaught(ctx, cause);
        end.closeNow();
    }

    /** A user ends the connection. */
    void close(Http2Error error, String reason) {
        if (state != State.CLOSED) {
            CloseReason closeReason = CloseReason.of(CloseReason.Kind.LOCAL, reason);
            Channels.noteCloseReason(channel(), closeReason);
            writer.writeGoAway(streams.lastTakenId(), error, reason);
            closeStreams(closeReason, new Http2Exception(error, reason));
            flush();
            end.closeAfterWrites();
        }
    }

    /** This side is about to close the channel. */
    void onClosing() {
        drain.sendLastGoAway();
        flush();
    }

    void onClosed() {
        drain.onClosed();
        stop();
    }

    /** The handler is being removed, so its streams end. The channel may stay open. */
    void onRemoved() {
        stop();
        drain.onRemoved();
    }

    private void stop() {
        if (state != State.CLOSED) {
            CloseReason ofChannel = channel().getCloseReason();
            CloseReason reason = ofChannel == null ? CloseReason.LOCAL : ofChannel; // null if the handler is removed
            closeStreams(reason, UnsentMessage.causeOfClosed(reason));
        }
        deadlines.stop();
    }

    private void closeStreams(CloseReason reason, Throwable cause) {
        drain.onStreamsEnd();
        endReason = reason;
        endCause = cause;
        state = State.CLOSED;
        endStreams();
    }

    /** Each step may be repeated: if memory runs out before the last one, all of them follow after a second. */
    private void endStreams() {
        try {
            pings.failAll(endCause);
            credit.end();
            streams.endAll(endReason, endCause);
            peer.settle(); // whatever it asks of streams fails because these have ended
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory);
            goOnLater();
        }
    }

    /** Goes on with ends and writes that memory ran out in, after a second. Allocates nothing and never throws. */
    void goOnLater() {
        goOn.retry();
    }

    private void onGoOn() {
        streams.endUnfinished();
        if (state == State.CLOSED) {
            endStreams();
        } else {
            streams.afterOpeningByUs();
            closeIfDrained();
        }
    }

    /** See {@link Drain#start()}. */
    void drain() {
        drain.start();
    }

    /** See {@link Drain#start(DrainEvent)}. */
    void drain(DrainEvent event) {
        drain.start(event);
    }

    /** Whether the channel itself is being drained; that drain has its own deadline. */
    boolean isDrained() {
        return drain.isOfChannel();
    }

    /** One of the sides has sent its last GOAWAY. */
    void onDraining() {
        state = State.DRAINING;
    }

    /** Closes the channel. */
    ConnectionEnd end() {
        return end;
    }

    void closeIfDrained() {
        drain.closeIfOver();
    }

    void onGoAway() {
        drain.onPeerLeaves();
    }

    void onPingAck(long data) {
        if (data == Drain.PING) {
            drain.onPingAck();
        } else if (data == WindowTuner.PING) {
            credit.tuner().onAck();
        } else {
            pings.onAck(data);
        }
    }

    /** Measures the round trip to the peer. */
    void ping(CompletableFuture<Duration> roundTrip) {
        if (state == State.STARTING || state == State.CLOSED) {
            roundTrip.completeExceptionally(UnsentMessage.causeOfClosed(channel()));
        } else {
            pings.send(roundTrip);
        }
    }

    /** Returns null if the time is 0 or the connection has ended. */
    Deadline startDeadline(long millis, Runnable action) {
        return deadlines.start(millis, action);
    }

    void fire(Http2ConnectionEvent event) {
        ctx.sendUpstream(event);
    }

    // ---- sending ----

    /** Sends everything written since the last call. If memory runs out, the rest follows after a second. */
    void flush() {
        try {
            endIfBroken();
            batches.flush();
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory);
            goOnLater();
        } catch (RuntimeException | Error fault) { // from user code in a buffer
            endIfBroken();
            throw fault;
        }
    }

    private void endIfBroken() {
        if (writer.isBroken() && state != State.CLOSED) {
            end(new Http2Exception(Http2Error.INTERNAL_ERROR, "a frame could not be written: no other can follow"));
        }
    }

    /** Writes a message's head, which content may follow. The future is null if the content's future covers both. */
    void sendHead(StreamChannel channel, FieldList fields, boolean endsStream, ChannelFuture future) {
        sender.sendHead(
                channel, fields, endsStream, future == null ? null : Outgoing.head(channel, endsStream, future));
    }

    /**
     * Sets which stream goes first. A server decides that itself. A client asks the server for it: in the request, or later in
     * a frame of its own.
     */
    void setPriority(Stream stream, Http2Priority priority) {
        sender.setPriority(stream, priority);
        if (!isServer()) {
            stream.markPrioritySet();
            if (stream.state().isRemoteOpen()) {
                writer.writePriorityUpdate(stream.id(), priority.toField());
            }
        }
    }

    /** A batch with messages has been sent. */
    void onMessagesSent() {
        drain.onSent();
    }

    /** Octets of content sent on all streams. */
    long totalSent() {
        return sender.totalSent();
    }

    /** Octets of content sent and received on all streams. */
    long movedOctets() {
        return sender.totalSent() + credit.totalReceived();
    }

    void formatQueued() {
        sender.pump();
    }

    void send(Outgoing outgoing) {
        sender.send(outgoing);
    }

    /** Returns a list for the fields of a head, to be {@linkplain #returnFields given back} once they are written. */
    FieldList borrowFields() {
        FieldList fields = spareFields;
        spareFields = null;
        return fields == null ? new FieldList() : fields;
    }

    void returnFields(FieldList fields) {
        if (fields.clear()) {
            spareFields = fields;
        }
    }

    /** The channel has sent this many octets. */
    void onWritten(long octets) {
        deadlines.onWritten(octets);
    }

    /** Sends a PING to check that the peer is still there. */
    void ping() {
        writer.writePing(0, false);
    }

    void onWritability() {
        thread.enter();
        try {
            streams.forEachConnected(StreamChannel::onParentWritability);
        } finally {
            thread.leave();
        }
    }
}
