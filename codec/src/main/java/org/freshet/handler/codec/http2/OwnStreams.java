package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;

/**
 * The streams that this side opens, a client's: as many as the peer takes, the others wait in the order in which they came.
 *
 * <p>Belongs to the thread of its connection.
 */
final class OwnStreams {
    private record Waiting(StreamChannel channel, ChannelFuture connect) {}

    private final PeerSettings peer;
    private final Set<StreamChannel> active = new HashSet<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** Nothing may be sent before the preface is. */
    private boolean isStarted;

    /** Numbers are used in the order in which requests are sent, not in which channels connect. */
    private int nextId;

    /** @param firstId 1 for a client, 2 for a server */
    OwnStreams(PeerSettings peer, int firstId) {
        this.peer = peer;
        nextId = firstId;
    }

    boolean isEmpty() {
        return active.isEmpty() && waiting.isEmpty();
    }

    boolean isIdle(int id) {
        return id >= nextId || nextId < 0;
    }

    void start() {
        isStarted = true;
        admitWaiting();
    }

    void connect(StreamChannel channel, ChannelFuture future) {
        waiting.add(new Waiting(channel, future));
        admitWaiting();
    }

    /** Connects those that wait, as far as the peer takes more. */
    void admitWaiting() {
        while (isStarted && !waiting.isEmpty() && active.size() < peer.maxConcurrentStreams()) {
            Waiting next = waiting.poll();
            if (next.channel.isEnded()) {
                next.connect.setFailure(ChannelClosedException.of(next.channel));
            } else {
                active.add(next.channel);
                next.channel.onConnected(next.connect);
            }
        }
    }

    /** A number that was not used; 0 when there is none left. */
    int nextId() {
        int id = nextId;
        if (id < 0) {
            return 0;
        }
        nextId += 2;
        return id;
    }

    /** The stream has ended. */
    void remove(StreamChannel channel) {
        if (active.remove(channel)) {
            admitWaiting();
        }
    }

    /** Fails those that wait; none can be connected any more. */
    void failAll(CloseReason reason, Throwable cause) {
        for (Waiting each = waiting.poll(); each != null; each = waiting.poll()) {
            Channels.noteCloseReason(each.channel, reason);
            each.connect.setFailure(cause);
            each.channel.end(reason, cause);
        }
    }

    /** Those without a number yet, which no frame can end. */
    void endUnnumbered(CloseReason reason, Throwable cause) {
        for (StreamChannel each : active.toArray(new StreamChannel[0])) {
            if (each.stream.id() == 0) {
                active.remove(each);
                each.end(reason, cause);
            }
        }
    }
}
