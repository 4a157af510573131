package org.freshet.handler.codec.spdy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.handler.codec.spdy.SpdyStream.Sending;

/** The streams of a session that are not closed in both directions. I/O thread only. */
final class SpdyStreams {
    private static final Comparator<SpdyStream> MOST_URGENT_FIRST =
            Comparator.<SpdyStream>comparingInt(stream -> stream.priority).thenComparingInt(stream -> stream.id);

    private final boolean isServer;
    private final Map<Integer, SpdyStream> active = new HashMap<>();
    private int remoteCount;

    /** Runs whenever a stream begins or ends; may be null. */
    private Runnable changed;

    SpdyStreams(boolean isServer) {
        this.isServer = isServer;
    }

    boolean isServer() {
        return isServer;
    }

    /** @param task null for none */
    void onChange(Runnable task) {
        changed = task;
    }

    private void notifyChange() {
        if (changed != null) {
            changed.run();
        }
    }

    /** Whether streams and pings with that ID are started by the peer. */
    boolean isRemoteId(int id) {
        return SpdyWire.isServersId(id) != isServer;
    }

    /** Null if the stream is not open. */
    SpdyStream get(int id) {
        return active.get(id);
    }

    void add(SpdyStream stream) {
        active.put(stream.id, stream);
        if (isRemoteId(stream.id)) {
            remoteCount++;
        }
        notifyChange();
    }

    /** Returns the removed stream, or null. */
    SpdyStream remove(int id) {
        SpdyStream removed = active.remove(id);
        if (removed != null && isRemoteId(id)) {
            remoteCount--;
        }
        notifyChange();
        return removed;
    }

    /** The number of streams opened by the peer, or by this side. */
    int count(boolean remote) {
        return remote ? remoteCount : active.size() - remoteCount;
    }

    int size() {
        return active.size();
    }

    boolean isEmpty() {
        return active.isEmpty();
    }

    /** Whether an answer would be lost if the session ended now: one that was not sent completely, or not received. */
    boolean hasUnanswered() {
        return active.values().stream()
                .anyMatch(stream -> isServer ? stream.sending != Sending.CLOSED : !stream.isRemoteClosed);
    }

    /** Returns a copy, the most urgent first. */
    List<SpdyStream> byUrgency() {
        List<SpdyStream> streams = new ArrayList<>(active.values());
        streams.sort(MOST_URGENT_FIRST);
        return streams;
    }
}
