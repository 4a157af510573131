package org.freshet.handler.codec.http2;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.handler.codec.http2.Connection.State;
import org.freshet.internal.handler.DrainedWork;

/**
 * How a connection ends in order: which side has sent GOAWAY, and when nothing is left that keeps the channel open.
 *
 * <p>Belongs to the thread of its connection.
 */
final class Drain {
    /** In the PING after the announcement. */
    private static final long PING = 0x647261696eL;

    private final Connection connection;
    private final ChannelHandlerContext ctx;
    private final FrameWriter writer;
    private final ConnectionStreams streams;
    private final ConnectionDeadlines deadlines;

    /** Null until the channel is drained; so is its event. */
    private DrainedWork work;

    private DrainEvent event;

    /** Whether the peer has sent GOAWAY. */
    private boolean isPeerLeaving;

    /** Whether this side has sent its last GOAWAY. */
    private boolean isLeaving;

    /** Whether the peer was told that the connection will be drained, and has not confirmed that. */
    private boolean isAnnouncing;

    /** Whether the channel is about to be closed because all is over. */
    private boolean isOver;

    Drain(
            Connection connection,
            ChannelHandlerContext ctx,
            FrameWriter writer,
            ConnectionStreams streams,
            ConnectionDeadlines deadlines) {
        this.connection = connection;
        this.ctx = ctx;
        this.writer = writer;
        this.streams = streams;
        this.deadlines = deadlines;
    }

    /** Tells the peer that no new stream is taken, lets those end that there are, and closes then. */
    void start() {
        if (sayGoodbye()) {
            closeIfOver();
        }
    }

    /**
     * Does what {@link #start()} does, but first announces it, and waits until the peer has heard that: streams that it has opened by then
     * are served. How long all of it may take is up to the drain.
     */
    void start(DrainEvent event) {
        if (connection.state() == State.CLOSED || work != null) {
            return;
        }
        this.event = event;
        work = new DrainedWork(ctx, event, "streams", this::isBusy);
        deadlines.stopDrain();
        isAnnouncing = connection.state() == State.OPEN && connection.isServer();
        work.update();
        event.claim();
        streams.drainTunnels();
        if (isAnnouncing) {
            writer.writeGoAway(Integer.MAX_VALUE, Http2Error.NO_ERROR, "");
            writer.writePing(PING, false);
        } else {
            start();
        }
    }

    /** Whether the channel is being drained, rather than this connection alone. */
    boolean isOfChannel() {
        return work != null;
    }

    private boolean isBusy() {
        return isAnnouncing || !streams.isEmpty();
    }

    /** Returns false if the PING was another. */
    boolean onPingAck(long data) {
        boolean isConfirmed = isAnnouncing && data == PING;
        if (isConfirmed) {
            start();
            isAnnouncing = false;
            closeIfOver();
        }
        return isConfirmed;
    }

    /** Sends the last GOAWAY; returns false if that was done before, or can't be. */
    boolean sayGoodbye() {
        State state = connection.state();
        boolean isFirst = !isLeaving && state != State.STARTING && state != State.CLOSED;
        if (isFirst) {
            isLeaving = true;
            connection.onDraining();
            if (work == null) {
                deadlines.startDrain();
            }
            writer.writeGoAway(streams.lastTakenId(), Http2Error.NO_ERROR, "");
        }
        return isFirst;
    }

    /** The peer takes no more streams of this side's; a client that says so may well ask for more. */
    void onPeerLeaves() {
        isPeerLeaving = true;
        if (connection.state() == State.OPEN && !connection.isServer()) {
            connection.onDraining();
        }
    }

    /** A stream has ended, or one of the sides is leaving. */
    void closeIfOver() {
        State state = connection.state();
        boolean ends = state == State.DRAINING || state == State.OPEN && isPeerLeaving;
        if (ends && streams.isEmpty() && !isAnnouncing && !isOver) {
            isOver = true;
            conclude();
            sayGoodbye(); // a client that has said goodbye may have asked for more, and learns whether it was heard
            connection.flush();
            if (isPeerLeaving) {
                Channels.noteCloseReason(connection.channel(), CloseReason.PEER_CLOSED);
            }
            connection.end().closeAfterWrites();
        }
    }

    /** No stream is left, so no answer can be lost any more. */
    private void conclude() {
        if (event != null) {
            event.conclude();
        }
    }

    /** The channel is closed. */
    void onClosed() {
        if (work != null) {
            isAnnouncing = false;
            if (streams.isEmpty()) {
                conclude(); // a peer that closes without a stream loses nothing
            }
            work.update();
        }
    }
}
