package org.freshet.handler.codec.http2;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.handler.codec.http2.Connection.State;
import org.freshet.internal.handler.DrainedWork;

/**
 * Shuts a connection down gracefully: tracks which side has sent GOAWAY, and closes the channel once nothing keeps it open.
 *
 * <p>Belongs to its connection's thread.
 */
final class Drain {
    /** The data of the PING after the announcement. */
    static final long PING = 0x647261696eL;

    private final Connection connection;
    private final ChannelHandlerContext ctx;
    private final FrameWriter writer;
    private final ConnectionStreams streams;
    private final ConnectionDeadlines deadlines;
    private final BatchWriter batches;

    /** Null until the channel is drained, like {@link #event}. */
    private DrainedWork work;

    private DrainEvent event;

    /** Whether the peer has sent GOAWAY. */
    private boolean isPeerLeaving;

    /** Whether this side has sent its last GOAWAY. */
    private boolean isLeaving;

    /** Whether the peer was told that the connection will be drained, and hasn't confirmed that yet. */
    private boolean isAnnouncing;

    /** Whether everything is over and the channel is about to be closed. */
    private boolean isOver;

    /** Whether the channel is closed, or the handler removed. */
    private boolean isClosed;

    /** Whether the end of the connection has cut an answer that wasn't sent or received completely. */
    private boolean hasLost;

    Drain(
            Connection connection,
            ChannelHandlerContext ctx,
            FrameWriter writer,
            ConnectionStreams streams,
            ConnectionDeadlines deadlines,
            BatchWriter batches) {
        this.connection = connection;
        this.ctx = ctx;
        this.writer = writer;
        this.streams = streams;
        this.deadlines = deadlines;
        this.batches = batches;
    }

    /** Tells the peer that we accept no new streams, lets the existing ones end, then closes. */
    void start() {
        sendLastGoAway();
        closeIfOver();
    }

    /**
     * Does the same as {@link #start()}, but announces it first and waits for the peer to confirm: streams opened until then
     * are served. The drain decides how long all of this may take.
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

    /** Whether the channel is being drained, not just this connection. */
    boolean isOfChannel() {
        return work != null;
    }

    private boolean isBusy() {
        return isClosed ? hasLost : isAnnouncing || !streams.isEmpty();
    }

    /** The peer has answered {@link #PING}. */
    void onPingAck() {
        if (isAnnouncing) {
            start();
            isAnnouncing = false;
            closeIfOver();
        }
    }

    /** Sends the last GOAWAY, unless that was done before, or isn't possible. */
    void sendLastGoAway() {
        State state = connection.state();
        if (!isLeaving && state != State.STARTING && state != State.CLOSED) {
            if (work == null) {
                deadlines.startDrain(); // first: without memory for it, the next attempt does all of this
            }
            writer.writeGoAway(streams.lastTakenId(), Http2Error.NO_ERROR, "");
            isLeaving = true;
            connection.onDraining();
        }
    }

    /** The peer accepts no more streams from us. A client that says so may still open streams itself. */
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
            try {
                conclude();
                sendLastGoAway(); // a client that said goodbye may have sent more requests, and learns which were
                // accepted
                connection.flush();
                if (isPeerLeaving) {
                    Channels.noteCloseReason(connection.channel(), CloseReason.PEER_CLOSED);
                }
            } finally { // without memory, too: nothing else ends the connection
                connection.end().closeAfterWrites();
            }
        }
    }

    /** No stream is left. Once their messages are sent, no answer can be lost any more. */
    private void conclude() {
        if (event != null && !batches.hasUnsentMessages()) {
            event.complete();
        }
    }

    /** Messages have been sent. */
    void onSent() {
        if (isOver) {
            conclude();
        }
    }

    /** The streams are about to end with the connection, whatever ends it. */
    void onStreamsEnd() {
        hasLost |= streams.hasUnanswered();
    }

    /** The channel is closed. Lost streams keep holding the drain. Later calls have no effect. */
    void onClosed() {
        if (work != null && !isClosed) {
            isClosed = true;
            onStreamsEnd();
            if (!hasLost) {
                conclude();
            }
            work.update();
        }
    }

    /** The handler is being removed and its streams have ended, so nothing is left to hold the channel for. Lost ones are reported. */
    void onRemoved() {
        if (work != null && !isClosed) {
            isClosed = true;
            if (hasLost) {
                work.abandon();
            } else {
                work.update();
            }
        }
    }
}
