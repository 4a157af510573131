package org.freshet.handler.codec.http2;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.handler.codec.http2.Connection.State;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.drain.ChannelDrain;

/**
 * The streams of a connection: how each begins and ends, and which numbers have been used.
 *
 * <p>Belongs to its connection's thread.
 */
final class ConnectionStreams {
    /** A tunnel that is being drained is closed after this time without traffic, unless one of its handlers says goodbye. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connection connection;
    private final FrameWriter writer;
    private final PeerSettings peer;
    private final Streams streams = new Streams();
    private final OwnStreams own;
    private final DataSender sender;

    private final OpenFields fields;

    /** Server only. They end with the connection at the latest. */
    private final UnreadStreams unread;

    /** The highest number the peer has used. */
    private int lastPeerId;

    /** The highest number of a stream that we accepted. */
    private int lastTakenId;

    /** The first of a chain of channels whose end memory ran out in; usually null. */
    private StreamChannel unfinished;

    /** Requests refused before a handler got them: no access log has them. */
    private int unhandledRequests;

    private boolean hasOpened;

    /** The peer has seen our SETTINGS. Until then it may send as much as the RFC's defaults allow, which may be more. */
    private boolean isAcknowledged;

    ConnectionStreams(Connection connection, FrameWriter writer, PeerSettings peer, DataSender sender) {
        this.connection = connection;
        this.writer = writer;
        this.peer = peer;
        this.sender = sender;
        Http2Settings settings = connection.settings();
        fields = new OpenFields(
                settings.fieldCeiling(), Math.max(AbuseGuard.MAX_OPEN_FIELDS, settings.maxHeaderListSize()));
        unread = new UnreadStreams(settings.maxConcurrentStreams(), this::dropUnread);
        own = new OwnStreams(connection, peer, settings.firstStreamId());
    }

    // ---- queries ----

    int count() {
        return streams.count();
    }

    /** The number of requests refused before a handler got them. */
    int unhandledRequests() {
        return unhandledRequests;
    }

    /** Any thread. Includes streams that wait to be opened. */
    int openCount() {
        return own.count();
    }

    /** Any thread. How many of our streams the peer accepts at a time. */
    long maxOwn() {
        return peer.maxConcurrentStreams();
    }

    /** Octets of the fields of all requests whose channels are open. */
    long fieldOctets() {
        return fields.octets();
    }

    /** Whether no stream is open, unread, or waiting to be opened. */
    boolean isEmpty() {
        return streams.count() == 0 && own.isEmpty() && unread.isEmpty();
    }

    /** Whether an answer would be lost if the connection ended now: one that was not sent completely, or not received. */
    boolean hasUnanswered() {
        return own.hasWaiting() || streams.any(connection.isServer() ? this::owesOutput : this::awaitsInput);
    }

    private boolean owesOutput(Stream stream) {
        OutboundMessage answer = stream.channel.outbound;
        return stream.first() != null || !answer.hasEnded() && !answer.isTunnel();
    }

    private boolean awaitsInput(Stream stream) {
        return stream.state().isRemoteOpen() && !stream.channel.isTunnel();
    }

    /** Whether a stream was opened since the last call. */
    boolean takeOpened() {
        boolean was = hasOpened;
        hasOpened = false;
        return was;
    }

    /** Null if no stream has that number. */
    Stream get(int id) {
        return streams.get(id);
    }

    void forEach(Consumer<Stream> action) {
        streams.forEach(action);
    }

    /** Runs the action for each channel, including ones that haven't sent a request yet. */
    void forEachConnected(Consumer<StreamChannel> action) {
        own.forEachUnnumbered(action);
        streams.forEach(stream -> action.accept(stream.channel));
    }

    /** The highest number of the peer's streams that we accepted, for GOAWAY. */
    int lastTakenId() {
        return lastTakenId;
    }

    boolean isPeers(int id) {
        return (id & 1) == (connection.isServer() ? 1 : 0);
    }

    boolean isNextOfPeer(int id) {
        return isPeers(id) && id > lastPeerId;
    }

    /** @param id an id for which {@link #get} returns null */
    boolean isIdle(int id) {
        return isPeers(id) ? id > lastPeerId : own.isIdle(id);
    }

    /** Returns the stream of a frame, or null to ignore the frame because it was in flight when we reset the stream. */
    Stream find(int id, FrameType type) throws Http2Exception {
        Stream stream = streams.get(id);
        if (stream != null) {
            return stream;
        }
        if (isIdle(id)) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, type + " frame on idle stream " + id);
        }
        if (streams.wasReset(id) || isBeyondGoAway(id)) {
            return null;
        }
        throw new Http2Exception(Http2Error.STREAM_CLOSED, type + " frame on closed stream " + id);
    }

    /** Whether the peer opened the stream, which isn't idle, after our GOAWAY. */
    private boolean isBeyondGoAway(int id) {
        return isPeers(id) && id > lastTakenId;
    }

    // ---- beginnings ----

    void start() {
        own.start();
    }

    void onAcknowledged() {
        isAcknowledged = true;
    }

    /** Connects waiting streams, as far as the peer accepts more. */
    void admitWaiting() {
        own.admitWaiting();
    }

    /** Connects a client's stream as soon as the peer accepts one more. */
    void connect(StreamChannel channel, ChannelFuture future) {
        if (!connection.acceptsStreams() || channel.isEnded()) {
            CloseReason reason = CloseReason.of(Kind.CONNECT_FAILED, "the connection accepts no more streams");
            Channels.noteCloseReason(channel, reason);
            future.setFailure(new ChannelClosedException(reason));
            end(channel, reason, null);
        } else {
            own.connect(channel, future);
        }
    }

    /**
     * Gives a client's stream its number. The stream is idle until its head is written. Returns false if no more streams can be
     * opened.
     */
    boolean openByUs(StreamChannel channel) {
        int id = connection.state() == State.CLOSED ? 0 : own.nextId();
        if (id != 0) {
            connection.guard().onStreamOpened();
            channel.stream.number(id, peer.initialWindowSize(), receiveWindow());
            add(channel.stream);
        }
        return id != 0;
    }

    /**
     * The head on one of our streams has been written, or has failed. With the last number, the connection is used up: users have
     * to open another. If memory runs out, this is repeated after a second.
     */
    void afterOpeningByUs() {
        if (own.areNumbersUsedUp()) {
            try {
                connection.drain();
                refuseUnopened("the connection has used all its stream numbers");
            } catch (VirtualMachineError noMemory) { // the stream goes on
                HeapReserve.onFailure(noMemory);
                connection.goOnLater();
            }
        }
    }

    private void refuseUnopened(String reason) {
        Http2StreamException refusal = new Http2StreamException(0, Http2Error.REFUSED_STREAM, reason);
        CloseReason closeReason = CloseReason.of(Kind.REFUSED, reason, refusal);
        own.failAll(closeReason, refusal);
        own.endUnnumbered(closeReason, refusal);
    }

    /** The peer uses a number for the first time, whatever happens to the stream. */
    void onPeerId(int id) {
        connection.guard().onStreamOpened();
        unhandledRequests++;
        lastPeerId = id;
        if (connection.acceptsStreams()) {
            lastTakenId = id;
        }
    }

    /**
     * Whether there is room for the fields of one more request with this many octets. Drops unread streams if that frees
     * enough.
     */
    boolean hasRoomForFields(long octets) {
        while (!fields.hasRoom(octets, 0)) {
            boolean helps = fields.hasRoom(octets, unread.fieldOctets());
            if (!helps || !unread.dropOldest()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Refuses a request because there is no room for its fields, which have this many octets. It counts against the peer only
     * if the connection's own requests leave no room: the peer isn't responsible for other connections.
     */
    void refuseForFields(int id, long octets) throws Http2Exception {
        if (!fields.isWithinOwnLimit(octets)) {
            connection.guard().onResetProvoked();
        }
        refuse(id, Http2Error.REFUSED_STREAM);
    }

    /** Opens a stream of the peer, whose request has fields with this many octets. */
    void openByPeer(StreamChannel channel, int id, int fieldOctets) {
        fields.take(channel.stream, fieldOctets);
        unhandledRequests--;
        channel.stream.open(id, peer.initialWindowSize(), receiveWindow());
        add(channel.stream);
    }

    private void add(Stream stream) {
        hasOpened = true;
        streams.add(stream);
    }

    private int receiveWindow() {
        int window = connection.credit().streamWindow();
        return isAcknowledged ? window : Math.max(window, PeerSettings.DEFAULT_WINDOW_SIZE);
    }

    // ---- ends ----

    /** A handler closes a stream: sends what windows allow, and resets the stream unless both messages have ended. */
    void close(StreamChannel channel) {
        if (channel.stream.first() != null) { // otherwise, it isn't this stream's turn to have others sent
            connection.formatQueued();
        }
        channel.outbound.endTunnel(); // like the FIN of a socket
        boolean hasAnswered = connection.isServer() && channel.stream.state() == StreamState.HALF_CLOSED_LOCAL;
        reset(channel, hasAnswered ? Http2Error.NO_ERROR : Http2Error.CANCEL);
    }

    /** The connection is being drained. Tunnels would never end; their handlers say goodbye in their own protocol. */
    void drainTunnels() {
        streams.forEach(stream -> {
            if (stream.channel.outbound.isTunnel()) {
                ChannelDrain.start(stream.channel, QUIET_NANOS, Runnable::run);
            }
        });
    }

    void reset(StreamChannel channel, Http2Error error) {
        if (!channel.isEnded()) {
            Stream stream = channel.stream;
            if (stream.id() != 0 && stream.state() != StreamState.CLOSED) {
                refuse(stream.id(), error);
            }
            end(channel, CloseReason.LOCAL, null);
        }
    }

    /** The peer doesn't take what handlers have written. */
    void abandon(StreamChannel channel, String reason) {
        Http2StreamException cause = new Http2StreamException(channel.stream.id(), Http2Error.CANCEL, reason);
        CloseReason closeReason = CloseReason.of(Kind.TIMED_OUT, reason);
        Channels.noteCloseReason(channel, closeReason);
        channel.fail(cause);
        if (!channel.isEnded()) {
            refuse(channel.stream.id(), cause.error());
            end(channel, closeReason, cause);
        }
    }

    /** Something a handler wrote could not be sent. If that is the head of a request, the peer knows no stream to reset. */
    void fail(StreamChannel channel, Throwable cause) {
        CloseReason reason = CloseReason.of(Kind.WRITE_FAILED, null, cause);
        Channels.noteCloseReason(channel, reason);
        channel.fail(cause);
        if (channel.isEnded()) {
            return;
        }
        if (channel.stream.state() == StreamState.IDLE) {
            end(channel, reason, cause);
        } else {
            refuse(channel.stream.id(), Http2Error.INTERNAL_ERROR);
            endOrKeepAnswer(channel, reason, cause);
        }
    }

    /** The peer has broken a rule that concerns only one stream. */
    void resetProvoked(int id, Http2Error error, String reason) throws Http2Exception {
        connection.guard().onResetProvoked();
        refuse(id, error, true);
        Stream stream = streams.get(id);
        if (stream != null) {
            Http2StreamException cause = new Http2StreamException(id, error, reason);
            CloseReason closeReason = CloseReason.of(Kind.PROTOCOL, null, cause);
            Channels.noteCloseReason(stream.channel, closeReason);
            stream.channel.fail(cause);
            end(stream.channel, closeReason, cause);
        }
    }

    /** Resets a stream that may have no channel. Frames that the peer still sends on it are ignored. */
    void refuse(int id, Http2Error error) {
        refuse(id, error, isPeers(id));
    }

    private void refuse(int id, Http2Error error, boolean isProvoked) {
        writer.writeReset(id, error, isProvoked);
        streams.rememberReset(id);
    }

    /** @param cause see {@link StreamChannel#end} */
    void end(StreamChannel channel, CloseReason reason, Throwable cause) {
        forget(channel.stream);
        channel.end(reason, cause);
        afterEnd(channel);
    }

    /** Memory ran out when the channel ended: a second later its end goes on. Allocates nothing and never throws. */
    void endAgain(StreamChannel channel) {
        channel.nextUnfinished = unfinished;
        unfinished = channel;
        connection.goOnLater();
    }

    /** Goes on with the ends that memory ran out in. */
    void endUnfinished() {
        StreamChannel next = unfinished;
        unfinished = null;
        while (next != null) {
            StreamChannel channel = next;
            next = channel.nextUnfinished;
            channel.nextUnfinished = null;
            channel.endAgain();
        }
    }

    /** Ends a stream whose request or answer is incomplete. A client's handlers still get a complete answer. */
    private void endOrKeepAnswer(StreamChannel channel, CloseReason reason, Throwable cause) {
        if (connection.isServer() || channel.stream.state().isRemoteOpen()) {
            end(channel, reason, cause);
        } else {
            endOnceRead(channel, reason, cause);
        }
    }

    private void endOnceRead(StreamChannel channel, CloseReason reason, Throwable cause) {
        forget(channel.stream);
        channel.endOnceRead(reason, cause);
        if (connection.isServer() && !channel.isEnded()) {
            unread.add(channel);
            keepWindowOpen();
        }
        afterEnd(channel);
    }

    /** A channel's last step before it is closed. */
    void onChannelEnds(StreamChannel channel) {
        unread.remove(channel);
        fields.release(channel.stream);
    }

    /** Handlers have read the rest of a stream that had ended. */
    void onRead() {
        connection.closeIfDrained();
    }

    private void dropUnread(StreamChannel channel) {
        CloseReason reason =
                CloseReason.of(Kind.TIMED_OUT, "the request was answered, but the rest of it was not read in time");
        channel.end(reason, null);
        connection.closeIfDrained();
    }

    /** Drops unread streams if they would keep the others from receiving. */
    void keepWindowOpen() {
        while (connection.credit().isShort() && unread.dropOldest()) {}
    }

    /** @param isOver whether this many consecutive checks exceed the time that handlers may take to read something */
    void checkUnread(IntPredicate isOver) {
        unread.check(isOver);
    }

    private void forget(Stream stream) {
        streams.remove(stream);
        sender.forget(stream);
    }

    private void afterEnd(StreamChannel channel) {
        try {
            own.remove(channel);
        } finally {
            connection.closeIfDrained();
        }
    }

    /** @param cause why the end of our message could not be sent; null if it was sent */
    void endIfBothHaveEnded(StreamChannel channel, Throwable cause) {
        if (channel.stream.state() == StreamState.CLOSED && streams.get(channel.stream.id()) == channel.stream) {
            endOnceRead(channel, cause == null ? CloseReason.COMPLETED : reasonOf(cause), cause);
        }
    }

    private static CloseReason reasonOf(Throwable unsent) {
        CloseReason ofConnection = unsent instanceof ChannelClosedException closed ? closed.getReason() : null;
        return ofConnection == null ? CloseReason.ofFailure(Kind.WRITE_FAILED, unsent) : ofConnection;
    }

    /**
     * The peer has reset a stream. A client's handlers are notified, because their response is missing; a server's handlers
     * find it in the close reason.
     */
    void onReset(StreamChannel channel, Http2Error error) {
        Http2StreamException cause =
                new Http2StreamException(channel.stream.id(), error, "the peer has reset the stream: " + error);
        CloseReason reason = CloseReason.of(Kind.PEER_RESET, null, cause);
        Channels.noteCloseReason(channel, reason);
        if (!connection.isServer() && channel.stream.state().isRemoteOpen()) {
            channel.fail(cause);
        }
        if (!channel.isEnded()) {
            endOrKeepAnswer(channel, reason, cause);
        }
    }

    /** The connection has ended. */
    void endAll(CloseReason reason, Throwable cause) {
        own.failAll(reason, cause);
        own.endUnnumbered(reason, cause);
        unread.all().forEach(channel -> channel.end(reason, cause));
        streams.forEach(stream -> endOrKeepAnswer(stream.channel, reason, cause));
    }

    /** The peer won't process our streams beyond that number. */
    void onGoAway(int lastId, String reason) {
        if (connection.isServer()) {
            return;
        }
        refuseUnopened(reason);
        streams.forEach(stream -> {
            if (stream.id() > lastId) { // all are ours: a server pushes none
                refuseByPeer(stream, reason);
            }
        });
    }

    private void refuseByPeer(Stream stream, String reason) {
        Http2StreamException refusal = new Http2StreamException(stream.id(), Http2Error.REFUSED_STREAM, reason);
        end(stream.channel, CloseReason.of(Kind.REFUSED, reason, refusal), refusal);
    }
}
