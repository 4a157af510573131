package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Consumer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.UnsentMessage;

/**
 * The streams opened by this side, for a client. As many as the peer accepts are connected. The others wait in order, each for
 * at most its channel's connect time-out.
 *
 * <p>Belongs to its connection's thread; any thread may ask for the count.
 */
final class OwnStreams {
    private static final class Waiting {
        final StreamChannel channel;
        final ChannelFuture connect;

        /** Null if there is no time-out. */
        Deadline deadline;

        Waiting(StreamChannel channel, ChannelFuture connect) {
            this.channel = channel;
            this.connect = connect;
        }

        void stopDeadline() {
            if (deadline != null) {
                deadline.cancel();
            }
        }

        void fail(CloseReason reason, Throwable cause) {
            stopDeadline();
            Channels.noteCloseReason(channel, reason);
            connect.setFailure(cause);
            channel.end(reason, cause);
        }
    }

    private static final CloseReason NO_MEMORY =
            CloseReason.of(CloseReason.Kind.CONNECT_FAILED, "memory ran out when the stream was connected");

    private final Connection connection;
    private final PeerSettings peer;
    private final Set<StreamChannel> active = new HashSet<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** Active and waiting streams. */
    private volatile int count;

    /** Nothing may be sent before the preface. */
    private boolean isStarted;

    /** Numbers are assigned in the order in which requests are sent, not in which channels connect. */
    private int nextId;

    /** @param firstId the number of the first stream; a server opens none */
    OwnStreams(Connection connection, PeerSettings peer, int firstId) {
        this.connection = connection;
        this.peer = peer;
        nextId = firstId;
    }

    /** Any thread. Counts connected and waiting streams. */
    int count() {
        return count;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    boolean isEmpty() {
        return active.isEmpty() && waiting.isEmpty();
    }

    boolean isIdle(int id) {
        return id >= nextId && !areNumbersUsedUp();
    }

    private void recount() {
        count = active.size() + waiting.size();
    }

    void start() {
        isStarted = true;
        admitWaiting();
    }

    void connect(StreamChannel channel, ChannelFuture future) {
        future.addListener(
                connect -> { // on any thread
                    if (connect.isCancelled()) {
                        channel.close(CloseReason.LOCAL);
                    }
                });
        Waiting added = new Waiting(channel, future);
        waiting.add(added);
        admitWaiting();
        recount();
        if (!future.isDone()) {
            int millis = channel.getConfig().getConnectTimeoutMillis();
            added.deadline = connection.startDeadline(millis, () -> onConnectTimeout(added, millis));
        }
    }

    private void onConnectTimeout(Waiting expired, int millis) {
        if (waiting.remove(expired)) {
            recount();
            String reason = isStarted
                    ? "the peer accepted no more streams for " + millis + " ms: its limit is "
                            + peer.maxConcurrentStreams() + " at a time"
                    : "the stream's connection wasn't connected within " + millis + " ms";
            expired.fail(CloseReason.of(CloseReason.Kind.CONNECT_FAILED, reason), new ConnectTimeoutException(reason));
        }
    }

    /** Connects waiting streams, as far as the peer accepts more. */
    void admitWaiting() {
        while (isStarted && !waiting.isEmpty() && active.size() < peer.maxConcurrentStreams()) {
            Waiting next = waiting.peek();
            if (next.channel.isEnded()) {
                next.connect.setFailure(UnsentMessage.causeOfClosed(next.channel));
                waiting.remove(next);
                next.stopDeadline();
            } else {
                active.add(next.channel); // without memory, it still waits
                waiting.remove(next);
                next.stopDeadline();
                onAdmitted(next);
            }
        }
    }

    private void onAdmitted(Waiting next) {
        try {
            next.channel.onConnected(next.connect);
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory);
            active.remove(next.channel);
            next.fail(NO_MEMORY, noMemory);
        }
    }

    /** Returns an unused number; 0 if none is left. */
    int nextId() {
        int id = nextId;
        if (id < 0) {
            return 0;
        }
        nextId += 2;
        return id;
    }

    boolean areNumbersUsedUp() {
        return nextId < 0;
    }

    /** The stream has ended. */
    void remove(StreamChannel channel) {
        if (active.remove(channel)) {
            admitWaiting();
            recount();
        } else if (!waiting.isEmpty()) {
            removeWaiting(channel);
        }
    }

    private void removeWaiting(StreamChannel channel) {
        for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
            Waiting next = each.next();
            if (next.channel == channel) {
                each.remove();
                recount();
                next.stopDeadline();
                next.connect.setFailure(UnsentMessage.causeOfClosed(channel));
                return;
            }
        }
    }

    /** Fails the waiting streams; none can be connected any more. Call {@link #endUnnumbered} then. */
    void failAll(CloseReason reason, Throwable cause) {
        for (Waiting each = waiting.peek(); each != null; each = waiting.peek()) {
            each.fail(reason, cause);
            waiting.remove(each); // last: without memory, the next attempt fails it again
        }
    }

    /** Ends the streams without a number: no frame can end them. */
    void endUnnumbered(CloseReason reason, Throwable cause) {
        forEachUnnumbered(each -> {
            each.end(reason, cause);
            active.remove(each); // last: without memory, the next attempt ends it
        });
        recount();
    }

    /** Runs the action for each connected stream that has not sent a request yet. */
    void forEachUnnumbered(Consumer<StreamChannel> action) {
        for (StreamChannel each : active.toArray(new StreamChannel[0])) {
            if (each.stream.id() == 0) {
                action.accept(each);
            }
        }
    }
}
