package org.freshet.handler.codec.http2;

import java.util.function.Consumer;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.handler.codec.http2.Connection.State;

/**
 * The streams of a connection: how each begins and ends, and which numbers have been used.
 *
 * <p>Belongs to the thread of its connection.
 */
final class ConnectionStreams {
    private final Connection connection;
    private final FrameWriter writer;
    private final PeerSettings peer;
    private final Streams streams = new Streams();
    private final OwnStreams own;
    private int lastPeerId;
    private boolean hasOpened;

    /** The peer has seen our SETTINGS; before that he may send as much as the RFC lets him, which may be more. */
    private boolean isAcknowledged;

    ConnectionStreams(Connection connection, FrameWriter writer, PeerSettings peer) {
        this.connection = connection;
        this.writer = writer;
        this.peer = peer;
        own = new OwnStreams(peer, connection.isServer() ? 2 : 1);
    }

    // ---- which there are ----

    int count() {
        return streams.count();
    }

    /** Octets of the fields of all requests whose streams are open. */
    long fieldOctets() {
        return streams.fieldOctets();
    }

    /** Whether none is open, and none waits to be. */
    boolean isEmpty() {
        return streams.count() == 0 && own.isEmpty();
    }

    /** Whether a stream was opened since this was asked last. */
    boolean takeOpened() {
        boolean was = hasOpened;
        hasOpened = false;
        return was;
    }

    /** Null if there is none of that number. */
    Stream get(int id) {
        return streams.get(id);
    }

    void forEach(Consumer<Stream> action) {
        streams.forEach(action);
    }

    /** The highest number that the peer has used. */
    int lastPeerId() {
        return lastPeerId;
    }

    boolean isPeers(int id) {
        return (id & 1) == (connection.isServer() ? 1 : 0);
    }

    boolean isNextOfPeer(int id) {
        return isPeers(id) && id > lastPeerId;
    }

    /** @param id that {@link #get} does not find */
    boolean isIdle(int id) {
        return isPeers(id) ? id > lastPeerId : own.isIdle(id);
    }

    /** The stream of a frame, or null if the frame is to be ignored because it was on its way when we reset the stream. */
    Stream find(int id, FrameType type) throws Http2Exception {
        Stream stream = streams.get(id);
        if (stream != null || streams.wasReset(id)) {
            return stream;
        }
        if (isIdle(id)) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "a frame " + type + " on the idle stream " + id);
        }
        throw new Http2Exception(Http2Error.STREAM_CLOSED, "a frame " + type + " on the closed stream " + id);
    }

    // ---- beginnings ----

    void start() {
        own.start();
    }

    void onAcknowledged() {
        isAcknowledged = true;
    }

    /** Connects streams that wait, as far as the peer takes more. */
    void admitWaiting() {
        own.admitWaiting();
    }

    /** A client's stream: connected when the peer takes one more. */
    void connect(StreamChannel channel, ChannelFuture future) {
        if (!connection.takesStreams() || channel.isEnded()) {
            CloseReason reason = CloseReason.of(Kind.CONNECT_FAILED, "the connection takes no more streams");
            Channels.noteCloseReason(channel, reason);
            future.setFailure(new ChannelClosedException(reason));
            end(channel, reason, null);
        } else {
            own.connect(channel, future);
        }
    }

    /** Gives a client's stream its number; returns false if none can be opened any more. */
    boolean openByUs(StreamChannel channel) {
        int id = connection.state() == State.CLOSED ? 0 : own.nextId();
        if (id != 0) {
            open(channel, id);
        }
        return id != 0;
    }

    /** The peer uses a number for the first time, whatever becomes of the stream. */
    void onPeerId(int id) {
        lastPeerId = id;
    }

    void open(StreamChannel channel, int id) {
        int window = connection.settings().initialWindowSize();
        int receiveWindow = isAcknowledged ? window : Math.max(window, PeerSettings.DEFAULT_WINDOW_SIZE);
        hasOpened = true;
        channel.stream.open(id, peer.initialWindowSize(), receiveWindow);
        streams.add(channel.stream);
    }

    // ---- ends ----

    /** Handlers close a stream: what windows let pass is sent, and the peer is told unless both messages have ended. */
    void close(StreamChannel channel) {
        if (channel.stream.first() != null) {
            connection.formatQueued();
        }
        boolean hasAnswered = connection.isServer() && channel.stream.state() == StreamState.HALF_CLOSED_LOCAL;
        reset(channel, hasAnswered ? Http2Error.NO_ERROR : Http2Error.CANCEL);
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

    /** The peer does not take what handlers have given. */
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

    /** What a handler has given could not be sent. */
    void fail(StreamChannel channel, Throwable cause) {
        CloseReason reason = CloseReason.of(Kind.WRITE_FAILED, null, cause);
        Channels.noteCloseReason(channel, reason);
        channel.fail(cause);
        if (!channel.isEnded()) {
            refuse(channel.stream.id(), Http2Error.INTERNAL_ERROR);
            end(channel, reason, cause);
        }
    }

    /** The peer has broken a rule on a stream, which concerns that stream alone. */
    void resetProvoked(int id, Http2Error error, String reason) throws Http2Exception {
        connection.guard().onResetProvoked();
        refuse(id, error);
        Stream stream = streams.get(id);
        if (stream != null) {
            Http2StreamException cause = new Http2StreamException(id, error, reason);
            CloseReason closeReason = CloseReason.of(Kind.PROTOCOL, null, cause);
            Channels.noteCloseReason(stream.channel, closeReason);
            stream.channel.fail(cause);
            end(stream.channel, closeReason, cause);
        }
    }

    /** Resets a stream that may have no channel; what the peer still sends on it is ignored. */
    void refuse(int id, Http2Error error) {
        writer.writeReset(id, error);
        streams.rememberReset(id);
    }

    /** The stream has no channel and is over for us; what the peer still sends on it is ignored. */
    void ignore(int id) {
        streams.rememberReset(id);
    }

    /** @param cause as {@link StreamChannel#end} has it */
    void end(StreamChannel channel, CloseReason reason, Throwable cause) {
        streams.remove(channel.stream);
        channel.end(reason, cause);
        own.remove(channel);
        connection.closeIfDrained();
    }

    void endIfBothHaveEnded(StreamChannel channel) {
        if (channel.stream.state() == StreamState.CLOSED) {
            end(channel, CloseReason.COMPLETED, null);
        }
    }

    /** The connection has ended. */
    void endAll(CloseReason reason, Throwable cause) {
        own.failAll(reason, cause);
        own.endUnnumbered(reason, cause);
        streams.forEach(stream -> end(stream.channel, reason, cause));
    }

    /** The peer processes none of ours beyond that number. */
    void onGoAway(int lastId, String reason) {
        CloseReason closeReason = CloseReason.of(Kind.REFUSED, reason);
        own.failAll(closeReason, new Http2StreamException(0, Http2Error.REFUSED_STREAM, reason));
        streams.forEach(stream -> {
            if (!isPeers(stream.id()) && stream.id() > lastId) {
                end(
                        stream.channel,
                        closeReason,
                        new Http2StreamException(stream.id(), Http2Error.REFUSED_STREAM, reason));
            }
        });
    }
}
