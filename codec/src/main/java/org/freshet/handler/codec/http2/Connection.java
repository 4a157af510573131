package org.freshet.handler.codec.http2;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http2.ReceivedFields.MalformedException;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.codec.http2.hpack.HpackException;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A connection of HTTP/2: its streams, and the frames that are about all of them.
 *
 * <pre>
 *   STARTING ----&gt; SETTINGS (the peer's come first) ----&gt; OPEN ----&gt; DRAINING (after GOAWAY) ----&gt; CLOSED
 * </pre>
 *
 * <p>Belongs to the I/O thread of its channel; {@link #request} and {@link #execute} take what other threads ask for to it, in
 * the order in which it was asked.
 */
final class Connection implements FrameListener {
    enum State {
        STARTING,
        SETTINGS,
        OPEN,
        DRAINING,
        CLOSED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Connection.class);

    private static final int SETTINGS_MAX_CONCURRENT_STREAMS = 0x3;
    private static final int SETTINGS_INITIAL_WINDOW_SIZE = 0x4;
    private static final int SETTINGS_MAX_FRAME_SIZE = 0x5;
    private static final int SETTINGS_MAX_HEADER_LIST_SIZE = 0x6;
    private static final int SETTINGS_ENABLE_PUSH = 0x2;
    private static final int SETTINGS_NO_RFC7540_PRIORITIES = 0x9;

    private final ChannelHandlerContext ctx;
    private final Http2Settings settings;

    /** Null for a client. */
    private final ChannelPipelineFactory requestPipelines;

    private final AbuseGuard guard = new AbuseGuard(System::nanoTime);
    private final ConnectionThread thread;
    private final FrameReader reader;
    private final HpackEncoder encoder = new HpackEncoder();
    private final HpackDecoder decoder = new HpackDecoder(4096);
    private final FrameWriter writer = new FrameWriter(encoder);
    private final PeerSettings peer;
    private final FieldCollector collector;
    private final Streams streams = new Streams();
    private final OwnStreams ownStreams;
    private final DataSender sender;
    private final ReceiveWindow receiveWindow;

    private volatile State state = State.STARTING;
    private int lastPeerStreamId;
    private boolean isAcknowledged;
    private int unsentAnswers;
    private int answersInBatch;

    /** @param requestPipelines a pipeline for each request of a server, null for a client */
    Connection(ChannelHandlerContext ctx, Http2Settings settings, ChannelPipelineFactory requestPipelines) {
        this.ctx = ctx;
        this.settings = settings;
        this.requestPipelines = requestPipelines;
        thread = new ConnectionThread(ctx.getChannel(), this::flush);
        reader = new FrameReader(this, guard, settings.maxFrameSize());
        peer = new PeerSettings(requestPipelines == null);
        collector = new FieldCollector(
                settings.maxHeaderListSize(), settings.httpLimits().maxHeaders());
        sender = new DataSender(this, writer, peer);
        receiveWindow = new ReceiveWindow(settings);
        ownStreams = new OwnStreams(peer, isServer() ? 2 : 1);
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

    private boolean isServer() {
        return requestPipelines != null;
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

    // ---- life ----

    /** The channel is connected: says what we accept. */
    void start(byte[] preface) {
        state = State.SETTINGS;
        writer.writeRaw(preface);
        if (isServer()) {
            writer.writeSettings(
                    SETTINGS_MAX_CONCURRENT_STREAMS, settings.maxConcurrentStreams(),
                    SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize(),
                    SETTINGS_MAX_FRAME_SIZE, settings.maxFrameSize(),
                    SETTINGS_MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize(),
                    SETTINGS_NO_RFC7540_PRIORITIES, 1);
        } else {
            writer.writeSettings(
                    SETTINGS_ENABLE_PUSH, 0,
                    SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize(),
                    SETTINGS_MAX_FRAME_SIZE, settings.maxFrameSize(),
                    SETTINGS_MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize());
        }
        writeWindowUpdate(0, receiveWindow.enlarge());
        thread.enter();
        try {
            ownStreams.start();
        } finally {
            thread.leave();
        }
    }

    void read(ChannelBuffer in) {
        thread.enter();
        try {
            if (state != State.CLOSED) {
                reader.read(in);
            }
        } catch (Http2Exception e) {
            end(e);
        } finally {
            thread.leave();
        }
    }

    /** Ends the connection because of what the peer did. */
    void end(Http2Exception cause) {
        if (state == State.CLOSED) {
            return;
        }
        writer.writeGoAway(lastPeerStreamId, cause.error(), cause.getMessage());
        closeStreams(cause);
        flush();
        Channels.fireExceptionCaught(ctx, cause);
        Channels.write(ctx, closeAfterwards(), ChannelBuffers.EMPTY_BUFFER);
    }

    private ChannelFuture closeAfterwards() {
        ChannelFuture future = Channels.future(channel());
        future.addListener(ChannelFutureListener.CLOSE);
        return future;
    }

    /** Our side is about to close the channel. */
    void onClosing() {
        if (state == State.SETTINGS || state == State.OPEN) {
            state = State.DRAINING;
            writer.writeGoAway(lastPeerStreamId, Http2Error.NO_ERROR, "");
            flush();
        }
    }

    void onClosed() {
        if (state != State.CLOSED) {
            closeStreams(new ClosedChannelException());
        }
    }

    private void closeStreams(Throwable cause) {
        state = State.CLOSED;
        ownStreams.failAll(cause);
        ownStreams.endUnnumbered(cause);
        streams.forEach(stream -> endStream(stream.channel, cause));
    }

    /** Tells the peer that no new stream is taken, lets those end that there are, and closes then. */
    void drain() {
        if (state == State.SETTINGS || state == State.OPEN) {
            state = State.DRAINING;
            writer.writeGoAway(lastPeerStreamId, Http2Error.NO_ERROR, "");
            closeIfDrained();
        }
    }

    private void closeIfDrained() {
        if (state == State.DRAINING && streams.count() == 0 && ownStreams.isEmpty()) {
            flush();
            Channels.close(ctx, Channels.future(channel()));
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

    // ---- sending ----

    /** Sends what was written since the last time as one message. */
    private void flush() {
        sender.pump();
        while (!writer.isEmpty()) {
            writeBatch();
            sender.pump();
        }
    }

    private void writeBatch() {
        ChannelBuffer batch = writer.take();
        List<DataSender.Formatted> formatted = sender.takeFormatted();
        int octets = batch.readableBytes();
        int answers = answersInBatch;
        answersInBatch = 0;
        sender.addInFlight(octets);
        ChannelFuture future = Channels.future(channel());
        future.addListener(sent -> execute(() -> onSent(formatted, octets, answers, sent.getCause())));
        Channels.write(ctx, future, batch);
    }

    private void onSent(List<DataSender.Formatted> formatted, int octets, int answers, Throwable cause) {
        sender.addInFlight(-octets);
        unsentAnswers -= answers;
        for (DataSender.Formatted each : formatted) {
            Outgoing outgoing = each.outgoing();
            outgoing.complete(cause);
            if (cause == null) {
                each.channel().onWritten(outgoing.length());
            }
            if (outgoing.endsStream) {
                closeIfEnded(each.channel());
            }
        }
    }

    /** Writes a message's head, behind which content may follow. */
    void sendHead(StreamChannel channel, List<String> fields, boolean endsStream, ChannelFuture future) {
        sender.sendHead(channel, fields, endsStream, future == null ? null : Outgoing.head(endsStream, future));
    }

    void send(StreamChannel channel, Outgoing outgoing) {
        sender.send(channel, outgoing);
    }

    private void writeWindowUpdate(int streamId, int increment) {
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

    // ---- streams ----

    /** A client's stream: connected when the peer takes one more. */
    void connect(StreamChannel channel, ChannelFuture future) {
        if (state == State.CLOSED || state == State.DRAINING || channel.isEnded()) {
            future.setFailure(new ClosedChannelException());
            endStream(channel, new ClosedChannelException());
        } else {
            ownStreams.connect(channel, future);
        }
    }

    /** Gives a client's stream its number; returns false if none can be opened any more. */
    boolean openByUs(StreamChannel channel) {
        int id = state == State.CLOSED ? 0 : ownStreams.nextId();
        if (id == 0) {
            return false;
        }
        open(channel, id);
        return true;
    }

    private void open(StreamChannel channel, int id) {
        int window = settings.initialWindowSize();
        channel.stream.open(
                id,
                peer.initialWindowSize(),
                isAcknowledged ? window : Math.max(window, PeerSettings.DEFAULT_WINDOW_SIZE));
        streams.add(channel.stream);
    }

    /** Handlers close a stream: the peer is told unless both messages have ended. */
    void closeStream(StreamChannel channel) {
        Stream stream = channel.stream;
        boolean hasAnswered = stream.state() == StreamState.HALF_CLOSED_LOCAL;
        resetByUs(channel, isServer() && hasAnswered ? Http2Error.NO_ERROR : Http2Error.CANCEL);
    }

    void resetByUs(StreamChannel channel, Http2Error error) {
        if (channel.isEnded()) {
            return;
        }
        Stream stream = channel.stream;
        if (stream.id() != 0 && stream.state() != StreamState.CLOSED) {
            writer.writeReset(stream.id(), error);
            streams.rememberReset(stream.id());
        }
        endStream(channel, new ClosedChannelException());
    }

    /** What a handler has given could not be sent. */
    void failStream(StreamChannel channel, Throwable cause) {
        channel.fail(cause);
        if (!channel.isEnded()) {
            writer.writeReset(channel.stream.id(), Http2Error.INTERNAL_ERROR);
            streams.rememberReset(channel.stream.id());
            endStream(channel, cause);
        }
    }

    /** The peer has broken a rule on a stream, which concerns that stream alone. */
    private void resetProvoked(int streamId, Http2Error error, String reason) throws Http2Exception {
        guard.onResetProvoked();
        writer.writeReset(streamId, error);
        streams.rememberReset(streamId);
        Stream stream = streams.get(streamId);
        if (stream != null) {
            Http2StreamException cause = new Http2StreamException(streamId, error, reason);
            stream.channel.fail(cause);
            endStream(stream.channel, cause);
        }
    }

    private void endStream(StreamChannel channel, Throwable cause) {
        streams.remove(channel.stream);
        channel.end(cause);
        ownStreams.remove(channel);
        closeIfDrained();
    }

    private void closeIfEnded(StreamChannel channel) {
        if (channel.stream.state() == StreamState.CLOSED) {
            endStream(channel, new ClosedChannelException());
        }
    }

    // ---- frames of streams ----

    /** The stream of a frame, or null if the frame is to be ignored because it was on its way when we reset the stream. */
    private Stream find(int streamId, FrameType type) throws Http2Exception {
        Stream stream = streams.get(streamId);
        if (stream != null || streams.wasReset(streamId)) {
            return stream;
        }
        if (isIdle(streamId)) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "a frame " + type + " on the idle stream " + streamId);
        }
        throw new Http2Exception(Http2Error.STREAM_CLOSED, "a frame " + type + " on the closed stream " + streamId);
    }

    private boolean isIdle(int streamId) {
        return isPeers(streamId) ? streamId > lastPeerStreamId : ownStreams.isIdle(streamId);
    }

    private boolean isPeers(int streamId) {
        return (streamId & 1) == (isServer() ? 1 : 0);
    }

    private void requireSettings() throws Http2Exception {
        if (state == State.SETTINGS) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "a peer's first frame is no SETTINGS");
        }
    }

    @Override
    public void onHeaders(int streamId, byte[] block, int offset, int length, boolean endsStream)
            throws Http2Exception {
        requireSettings();
        decode(block, offset, length);
        Stream stream = streams.get(streamId);
        if (stream == null && isServer() && isPeers(streamId) && streamId > lastPeerStreamId) {
            onRequest(streamId, endsStream);
        } else if (stream != null || find(streamId, FrameType.HEADERS) != null) {
            onMoreFields(stream, endsStream);
        }
    }

    private void decode(byte[] block, int offset, int length) throws Http2Exception {
        collector.clear();
        try {
            decoder.decode(block, offset, length, collector);
        } catch (HpackException e) {
            throw new Http2Exception(Http2Error.COMPRESSION_ERROR, e.getMessage());
        }
        if (collector.isHostile()) {
            throw new Http2Exception(
                    Http2Error.ENHANCE_YOUR_CALM,
                    "header fields far beyond the limit of " + settings.maxHeaderListSize() + " octets");
        }
    }

    private void onRequest(int streamId, boolean endsStream) throws Http2Exception {
        lastPeerStreamId = streamId;
        if (state == State.DRAINING || streams.count() >= settings.maxConcurrentStreams()) {
            resetProvoked(streamId, Http2Error.REFUSED_STREAM, "no more streams are taken");
        } else if (!collector.isWithinLimits()) {
            refuseFields(streamId, endsStream);
        } else {
            openByPeer(streamId, endsStream);
        }
    }

    /** Answers 431 in the place of a handler, which cannot have the request. */
    private void refuseFields(int streamId, boolean endsStream) throws Http2Exception {
        guard.onResetProvoked();
        writer.writeFields(streamId, List.of(":status", "431", "content-length", "0"), true, peer.maxFrameSize());
        if (!endsStream) {
            writer.writeReset(streamId, Http2Error.NO_ERROR);
        }
        streams.rememberReset(streamId);
    }

    private void openByPeer(int streamId, boolean endsStream) throws Http2Exception {
        ReceivedFields fields = new ReceivedFields(collector.fields());
        HttpRequest request;
        try {
            request = fields.toRequest();
        } catch (MalformedException e) {
            resetProvoked(streamId, Http2Error.PROTOCOL_ERROR, e.getMessage());
            return;
        }
        StreamChannel channel;
        try {
            channel = new StreamChannel(this, channel().getFactory(), requestPipelines.getPipeline(), true);
        } catch (Throwable t) {
            logger.warn("no pipeline for a request, which is refused", t);
            writer.writeReset(streamId, Http2Error.INTERNAL_ERROR);
            streams.rememberReset(streamId);
            return;
        }
        open(channel, streamId);
        channel.stream.setPriority(Http2Priority.parse(fields.priority()));
        if (fields.scheme() != null) {
            channel.setScheme(fields.scheme());
        }
        channel.outbound.setMethod(request.getMethod());
        channel.announceAccepted();
        deliverHead(channel, request, fields, endsStream);
    }

    private void deliverHead(StreamChannel channel, HttpMessage head, ReceivedFields fields, boolean endsStream)
            throws Http2Exception {
        Stream stream = channel.stream;
        try {
            if (endsStream) {
                stream.endRemote();
            }
            channel.inbound.head(head, fields, endsStream);
        } catch (MalformedException e) {
            resetProvoked(stream.id(), Http2Error.PROTOCOL_ERROR, e.getMessage());
        }
    }

    /** A response, or trailers. */
    private void onMoreFields(Stream stream, boolean endsStream) throws Http2Exception {
        if (!stream.state().isRemoteOpen()) {
            throw new Http2Exception(
                    Http2Error.STREAM_CLOSED, "HEADERS on stream " + stream.id() + ", which its peer has ended");
        }
        if (!collector.isWithinLimits()) {
            resetProvoked(
                    stream.id(),
                    Http2Error.ENHANCE_YOUR_CALM,
                    "header fields beyond the limit of " + settings.maxHeaderListSize() + " octets or "
                            + settings.httpLimits().maxHeaders() + " fields");
            return;
        }
        StreamChannel channel = stream.channel;
        try {
            if (channel.inbound.awaitsHead()) {
                ReceivedFields fields = new ReceivedFields(collector.fields());
                deliverHead(channel, fields.toResponse(), fields, endsStream);
            } else if (endsStream) {
                stream.endRemote();
                channel.inbound.trailers(collector.fields());
            } else {
                throw new MalformedException("trailers that do not end the stream");
            }
        } catch (MalformedException e) {
            resetProvoked(stream.id(), Http2Error.PROTOCOL_ERROR, e.getMessage());
        }
        closeIfEnded(channel);
    }

    @Override
    public void onDataBegins(int streamId, int length, boolean endsStream) throws Http2Exception {
        requireSettings();
        Stream stream = find(streamId, FrameType.DATA);
        if (stream != null && !stream.state().isRemoteOpen()) {
            throw new Http2Exception(
                    Http2Error.STREAM_CLOSED, "DATA on stream " + streamId + ", which its peer has ended");
        }
        if (!receiveWindow.take(length) || stream != null && !stream.take(length)) {
            throw new Http2Exception(
                    Http2Error.FLOW_CONTROL_ERROR, "more DATA on stream " + streamId + " than windows allow");
        }
    }

    @Override
    public void onData(int streamId, ChannelBuffer content, int flowControlled, boolean endsStream)
            throws Http2Exception {
        Stream stream = streams.get(streamId);
        if (stream == null) {
            writeWindowUpdate(0, receiveWindow.giveBack(flowControlled));
            return;
        }
        writeWindowUpdate(0, receiveWindow.arrived(flowControlled));
        try {
            if (stream.channel.inbound.awaitsHead()) {
                throw new MalformedException("DATA before the response");
            }
            if (endsStream) {
                stream.endRemote();
            }
            stream.channel.inbound.content(content, flowControlled, endsStream);
        } catch (MalformedException e) {
            resetProvoked(streamId, Http2Error.PROTOCOL_ERROR, e.getMessage());
        }
        closeIfEnded(stream.channel);
    }

    @Override
    public void onReset(int streamId, Http2Error error) throws Http2Exception {
        requireSettings();
        Stream stream = streams.get(streamId);
        if (stream == null) {
            if (isIdle(streamId)) {
                find(streamId, FrameType.RST_STREAM);
            }
            return;
        }
        if (isServer()) {
            guard.onResetByPeer(stream.openedAtNanos);
        }
        endStream(stream.channel, new Http2StreamException(streamId, error, "the peer has reset the stream: " + error));
    }

    @Override
    public void onWindowUpdate(int streamId, int increment) throws Http2Exception {
        requireSettings();
        if (streamId == 0) {
            requireWindow(sender.addWindow(increment));
            return;
        }
        Stream stream = streams.get(streamId);
        if (stream != null) {
            if (stream.addSendWindow(increment)) {
                sender.schedule(stream);
            } else {
                resetProvoked(streamId, Http2Error.FLOW_CONTROL_ERROR, "a window that exceeds 2^31-1");
            }
        } else if (isIdle(streamId)) {
            find(streamId, FrameType.WINDOW_UPDATE);
        }
    }

    private static void requireWindow(boolean isRight) throws Http2Exception {
        if (!isRight) {
            throw new Http2Exception(Http2Error.FLOW_CONTROL_ERROR, "a window that exceeds 2^31-1");
        }
    }

    @Override
    public void onPriority(int streamId) throws Http2Exception {
        requireSettings();
        guard.onPriority();
    }

    @Override
    public void onPriorityUpdate(int streamId, String priority) throws Http2Exception {
        requireSettings();
        guard.onPriority();
        if (!isServer() || streamId == 0) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "PRIORITY_UPDATE for stream " + streamId);
        }
        Stream stream = streams.get(streamId);
        if (stream != null) {
            stream.setPriority(Http2Priority.parse(priority));
        }
    }

    // ---- frames of the connection ----

    @Override
    public void onSettings(byte[] in, int offset, int length) throws Http2Exception {
        int before = peer.initialWindowSize();
        peer.apply(in, offset, length);
        encoder.setMaxTableSize(peer.headerTableSize());
        int change = peer.initialWindowSize() - before;
        boolean[] isRight = {true};
        streams.forEach(stream -> {
            isRight[0] &= stream.addSendWindow(change);
            sender.schedule(stream);
        });
        requireWindow(isRight[0]);
        if (state == State.SETTINGS) {
            state = State.OPEN;
        }
        writer.writeSettingsAck();
        onAnswered();
        ownStreams.admitWaiting();
    }

    private void onAnswered() throws Http2Exception {
        answersInBatch++;
        guard.onAnswerQueued(++unsentAnswers);
    }

    @Override
    public void onSettingsAck() throws Http2Exception {
        requireSettings();
        isAcknowledged = true;
    }

    @Override
    public void onPing(long data) throws Http2Exception {
        requireSettings();
        writer.writePing(data, true);
        onAnswered();
    }

    @Override
    public void onPingAck(long data) throws Http2Exception {
        requireSettings();
    }

    @Override
    public void onGoAway(int lastStreamId, Http2Error error, String debugData) throws Http2Exception {
        requireSettings();
        if (state == State.OPEN) {
            state = State.DRAINING;
        }
        String reason = "the peer takes no more streams: " + error + (debugData.isEmpty() ? "" : ", " + debugData);
        ownStreams.failAll(new Http2StreamException(0, Http2Error.REFUSED_STREAM, reason));
        streams.forEach(stream -> {
            if (!isPeers(stream.id()) && stream.id() > lastStreamId) {
                endStream(stream.channel, new Http2StreamException(stream.id(), Http2Error.REFUSED_STREAM, reason));
            }
        });
        closeIfDrained();
    }
}
