package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.internal.HoldsBytes;
import org.freshet.internal.handler.DrainedWork;
import org.freshet.internal.transport.WriteLimit;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A connection of HTTP/2: its beginning and end, and the batches in which frames leave. {@link FrameHandler} does what received
 * frames ask for, {@link ConnectionStreams} has the streams.
 *
 * <pre>
 *   STARTING ----&gt; SETTINGS (the peer's come first) ----&gt; OPEN ----&gt; DRAINING (after GOAWAY) ----&gt; CLOSED
 * </pre>
 *
 * <p>Belongs to the I/O thread of its channel; {@link #request} and {@link #execute} take what other threads ask for to it, in
 * the order in which it was asked.
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

    /** In the PING behind the announcement of a drain. */
    private static final long DRAIN_PING = 0x647261696eL;

    private static final int SETTINGS_ENABLE_PUSH = 0x2;
    private static final int SETTINGS_MAX_CONCURRENT_STREAMS = 0x3;
    private static final int SETTINGS_INITIAL_WINDOW_SIZE = 0x4;
    private static final int SETTINGS_MAX_FRAME_SIZE = 0x5;
    private static final int SETTINGS_MAX_HEADER_LIST_SIZE = 0x6;
    private static final int SETTINGS_NO_RFC7540_PRIORITIES = 0x9;

    /** Names and values of a list that is kept. */
    private static final int MAX_SPARE_FIELDS = 64;

    private final ChannelHandlerContext ctx;
    private final Http2Settings settings;

    /** Null for a client. */
    private final ChannelPipelineFactory requestPipelines;

    private final AbuseGuard guard;
    private final ConnectionThread thread;
    private final FrameReader reader;
    private final FrameWriter writer;
    private final ConnectionStreams streams;
    private final DataSender sender;
    private final ReceiveWindow receiveWindow;
    private final ConnectionDeadlines deadlines;

    /** Octets that streams have to send. Written by the connection's thread, read by any. */
    private final AtomicLong queuedBytes = new AtomicLong();

    private volatile State state = State.STARTING;

    /** Null while it is in use. */
    private ArrayList<String> spareFields;

    /** Null until the channel is drained. */
    private DrainedWork drained;

    /** Whether the peer was told that the connection will be drained, and has not confirmed that. */
    private boolean isAnnouncing;

    /** Acknowledgements that were given to the channel and have not left. */
    private int unsentAnswers;

    /** Those that are not in a batch yet: a read may ask for many. */
    private int unbatchedAnswers;

    /** @param requestPipelines a pipeline for each request of a server, null for a client */
    Connection(ChannelHandlerContext ctx, Http2Settings settings, ChannelPipelineFactory requestPipelines) {
        this.ctx = ctx;
        this.settings = settings;
        this.requestPipelines = requestPipelines;
        guard = new AbuseGuard(settings.nanoClock(), settings.initialWindowSize());
        thread = new ConnectionThread(ctx.getChannel(), this::flush);
        HpackEncoder encoder = new HpackEncoder();
        PeerSettings peer = new PeerSettings(!isServer());
        writer = new FrameWriter(encoder);
        streams = new ConnectionStreams(this, writer, peer);
        sender = new DataSender(this, writer, peer);
        receiveWindow = new ReceiveWindow(settings);
        deadlines = new ConnectionDeadlines(this, streams, sender);
        FrameHandler handler = new FrameHandler(this, streams, writer, sender, peer, encoder, receiveWindow);
        reader = new FrameReader(handler, guard, settings.maxFrameSize());
    }

    Channel channel() {
        return ctx.getChannel();
    }

    Http2Settings settings() {
        return settings;
    }

    AbuseGuard guard() {
        return guard;
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

    boolean takesStreams() {
        return state != State.DRAINING && state != State.CLOSED;
    }

    String scheme() {
        return ctx.getPipeline().get(SslHandler.class) == null ? "http" : "https";
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

    /** A stream's queue has become longer or shorter. */
    void addQueued(long octets) {
        queuedBytes.setOpaque(queuedBytes.getPlain() + octets);
    }

    /** Any thread. */
    long queuedBytes() {
        return queuedBytes.getOpaque();
    }

    /**
     * Whether the streams may have more to send, by the limit of the connection's channel. Any thread, which that may block.
     *
     * @return null, or what to fail the write with
     */
    Exception refusal(Object message) {
        return WriteLimit.refusal((HoldsBytes) ctx.getHandler(), ctx.getChannel(), OutboundMessage.bytesOf(message));
    }

    /** Carries out what a stream's handlers ask for. */
    void request(StreamChannel stream, ChannelEvent e) {
        if (thread.isCurrent()) {
            thread.enter();
            try {
                StreamSink.INSTANCE.carryOut(stream, e);
            } finally {
                thread.leave();
            }
        } else {
            thread.execute(() -> StreamSink.INSTANCE.carryOut(stream, e));
        }
    }

    // ---- beginning ----

    /** The channel is connected: says what we accept. */
    void start(byte[] preface) {
        thread.enter();
        try {
            state = State.SETTINGS;
            sendWithoutDelay();
            writer.writeRaw(preface);
            writeSettings();
            writeWindowUpdate(0, receiveWindow.enlarge());
            deadlines.onStarted();
            streams.start();
        } finally {
            thread.leave();
        }
    }

    /**
     * Frames leave in batches as large as they can be. A system that holds the end of one back until the peer acknowledges the
     * beginning makes each of the peer's windows take as long as it delays acknowledgements.
     */
    private void sendWithoutDelay() {
        if (channel().getConfig() instanceof SocketChannelConfig config) {
            try {
                config.setTcpNoDelay(true);
            } catch (ChannelException e) {
                logger.debug("no TCP_NODELAY, for a socket that is closed or has none: " + channel(), e);
            }
        }
    }

    private void writeSettings() {
        int first = isServer() ? SETTINGS_MAX_CONCURRENT_STREAMS : SETTINGS_ENABLE_PUSH;
        writer.writeSettings(
                first, isServer() ? settings.maxConcurrentStreams() : 0,
                SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize(),
                SETTINGS_MAX_FRAME_SIZE, settings.maxFrameSize(),
                SETTINGS_MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize(),
                SETTINGS_NO_RFC7540_PRIORITIES, 1);
    }

    void onSettings() {
        if (state == State.SETTINGS) {
            state = State.OPEN;
        }
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
            }
        } catch (Http2Exception e) {
            end(e);
        } catch (RuntimeException e) {
            Http2Exception fault = new Http2Exception(Http2Error.INTERNAL_ERROR, "a frame could not be dealt with");
            fault.initCause(e);
            end(fault);
        } finally {
            thread.leave();
        }
    }

    // ---- end ----

    /** Ends the connection because of what the peer did. */
    void end(Http2Exception cause) {
        if (state == State.CLOSED) {
            return;
        }
        writer.writeGoAway(streams.lastPeerId(), cause.error(), cause.getMessage());
        boolean isLate = cause.error() == Http2Error.SETTINGS_TIMEOUT;
        CloseReason reason =
                CloseReason.of(isLate ? CloseReason.Kind.TIMED_OUT : CloseReason.Kind.PROTOCOL, null, cause);
        Channels.noteCloseReason(channel(), reason);
        closeStreams(reason, cause);
        deadlines.onEnding();
        flush();
        Channels.fireExceptionCaught(ctx, cause);
        ChannelFuture behindAll = Channels.future(channel());
        behindAll.addListener(ChannelFutureListener.CLOSE);
        Channels.write(ctx, behindAll, ChannelBuffers.EMPTY_BUFFER);
    }

    /** Ends the connection at once, because its peer has gone or reads nothing. */
    void abort(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        Http2Exception cause = new Http2Exception(Http2Error.CANCEL, reason);
        CloseReason closeReason = CloseReason.of(CloseReason.Kind.TIMED_OUT, reason);
        Channels.noteCloseReason(channel(), closeReason);
        closeStreams(closeReason, cause);
        Channels.fireExceptionCaught(ctx, cause);
        closeNow();
    }

    void closeNow() {
        Channels.close(ctx, Channels.future(channel()));
    }

    /** Our side is about to close the channel. */
    void onClosing() {
        if (beginDraining()) {
            flush();
        }
    }

    void onClosed() {
        if (drained != null) {
            isAnnouncing = false;
            drained.update(); // a peer that closes without a stream loses nothing
        }
        if (state != State.CLOSED) {
            CloseReason reason = channel().getCloseReason();
            closeStreams(reason, new ChannelClosedException(reason));
        }
        deadlines.stop();
    }

    private void closeStreams(CloseReason reason, Throwable cause) {
        state = State.CLOSED;
        streams.endAll(reason, cause);
    }

    /** Tells the peer that no new stream is taken, lets those end that there are, and closes then. */
    void drain() {
        if (beginDraining()) {
            closeIfDrained();
        }
    }

    /**
     * As {@link #drain()}, but first announces it, and waits until the peer has heard that: streams that it has opened by then are
     * served.
     */
    void drain(DrainEvent event) {
        if (state == State.CLOSED || drained != null) {
            return;
        }
        drained = new DrainedWork(ctx, event, "streams", this::isBusy);
        isAnnouncing = state == State.OPEN && isServer();
        drained.update();
        event.claim();
        if (isAnnouncing) {
            writer.writeGoAway(Integer.MAX_VALUE, Http2Error.NO_ERROR, "");
            writer.writePing(DRAIN_PING, false);
        } else {
            drain();
        }
    }

    private boolean isBusy() {
        return isAnnouncing || !streams.isEmpty();
    }

    void onPingAck(long data) {
        if (isAnnouncing && data == DRAIN_PING) {
            drain();
            isAnnouncing = false;
            closeIfDrained();
        }
    }

    private boolean beginDraining() {
        boolean begins = state == State.SETTINGS || state == State.OPEN;
        if (begins) {
            state = State.DRAINING;
            deadlines.onDraining();
            writer.writeGoAway(streams.lastPeerId(), Http2Error.NO_ERROR, "");
        }
        return begins;
    }

    /** The peer opens no more streams, or takes no more. */
    void onGoAway() {
        if (state == State.OPEN) {
            state = State.DRAINING;
            deadlines.onDraining();
        }
    }

    void closeIfDrained() {
        if (state == State.DRAINING && streams.isEmpty() && !isAnnouncing) {
            flush();
            if (drained != null) {
                drained.update();
            }
            closeNow();
        }
    }

    // ---- sending ----

    /** Sends what was written since the last time. */
    private void flush() {
        sender.pump();
        while (!writer.isEmpty()) {
            writeBatch();
            sender.pump();
        }
    }

    /** Frames that leave together, and what is completed then. */
    private final class Batch implements ChannelFutureListener, Runnable {
        private final int octets;
        private final int answers;
        private Outgoing formatted;
        private Throwable cause;

        Batch(int octets, int answers, Outgoing formatted) {
            this.octets = octets;
            this.answers = answers;
            this.formatted = formatted;
        }

        @Override
        public void operationComplete(ChannelFuture sent) {
            cause = sent.getCause();
            execute(this);
        }

        @Override
        public void run() {
            sender.addInFlight(-octets);
            unsentAnswers -= answers;
            while (formatted != null) {
                Outgoing outgoing = formatted;
                formatted = outgoing.next;
                onSent(outgoing, cause);
            }
        }
    }

    private void writeBatch() {
        ChannelBuffer octets = writer.take();
        Batch batch = new Batch(octets.readableBytes(), unbatchedAnswers, sender.takeFormatted());
        unsentAnswers += unbatchedAnswers;
        unbatchedAnswers = 0;
        sender.addInFlight(batch.octets);
        ChannelFuture future = Channels.future(channel());
        future.addListener(batch);
        Channels.write(ctx, future, octets);
    }

    private void onSent(Outgoing outgoing, Throwable cause) {
        StreamChannel channel = outgoing.channel;
        outgoing.complete(cause);
        if (cause == null) {
            channel.onWritten(outgoing.length());
        }
        if (outgoing.endsStream) {
            streams.endIfBothHaveEnded(channel);
        }
    }

    /** Writes a message's head, behind which content may follow; its future is null if that of the content speaks for both. */
    void sendHead(StreamChannel channel, List<String> fields, boolean endsStream, ChannelFuture future) {
        sender.sendHead(
                channel, fields, endsStream, future == null ? null : Outgoing.head(channel, endsStream, future));
    }

    void formatQueued() {
        sender.pump();
    }

    void send(Outgoing outgoing) {
        sender.send(outgoing);
    }

    /** A list for the fields of a head, to be {@linkplain #returnFields given back} once they are written. */
    ArrayList<String> borrowFields() {
        ArrayList<String> fields = spareFields;
        spareFields = null;
        return fields == null ? new ArrayList<>() : fields;
    }

    void returnFields(ArrayList<String> fields) {
        if (fields.size() <= MAX_SPARE_FIELDS) {
            fields.clear();
            spareFields = fields;
        }
    }

    /** So many octets have left the channel. */
    void onWritten(long octets) {
        deadlines.onWritten(octets);
    }

    /** Asks whether the peer is there. */
    void ping() {
        writer.writePing(0, false);
    }

    /** An acknowledgement was written. */
    void onAnswered() throws Http2Exception {
        unbatchedAnswers++;
        guard.onAnswerQueued(unsentAnswers);
    }

    void writeWindowUpdate(int streamId, int increment) {
        if (increment > 0 && state != State.CLOSED) {
            writer.writeWindowUpdate(streamId, increment);
        }
    }

    /** Handlers are done with octets that were received on a stream. */
    void onConsumed(StreamChannel channel, int octets) {
        if (octets > 0) {
            writeWindowUpdate(0, receiveWindow.consumed(octets));
            int increment = channel.stream.consume(octets, settings.initialWindowSize());
            if (!channel.isEnded()) {
                writeWindowUpdate(channel.stream.id(), increment);
            }
        }
    }

    void onWritability() {
        boolean isCongested = !channel().isWritable();
        thread.enter();
        try {
            streams.forEach(stream -> stream.channel.setParentCongested(isCongested));
        } finally {
            thread.leave();
        }
    }
}
