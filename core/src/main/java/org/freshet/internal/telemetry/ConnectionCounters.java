package org.freshet.internal.telemetry;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.freshet.channel.CloseReason.Kind;

/**
 * What the channels of one factory count together, of a transport without loops. Any thread.
 */
public final class ConnectionCounters {
    /** A factory of such channels, or one of these. */
    public interface Source {
        ConnectionCounters connectionCounters();
    }

    /** By the factory, for those that are no {@link Source}. */
    private static final Map<Object, ConnectionCounters> BY_FACTORY = Collections.synchronizedMap(new WeakHashMap<>());

    private final String role;
    private final LongAdder opened = new LongAdder();
    private final LongAdder[] closed = new LongAdder[Kind.values().length];
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();

    /** @param role what the factory is for, such as {@code local-server} */
    public ConnectionCounters(String role) {
        this.role = role;
        for (int i = 0; i < closed.length; i++) {
            closed[i] = new LongAdder();
        }
    }

    /** Returns null for a factory that has loops, or has made no channel yet. */
    public static ConnectionCounters of(Object factory) {
        return factory instanceof Source source ? source.connectionCounters() : BY_FACTORY.get(factory);
    }

    /** Has {@link #of} find these. */
    public void belongTo(Object factory) {
        BY_FACTORY.putIfAbsent(factory, this);
    }

    public String role() {
        return role;
    }

    /** A connection was made or accepted. */
    public void onOpened() {
        opened.increment();
    }

    /** A connection that was counted as opened is closed. */
    public void onClosed(Kind kind) {
        closed[kind.ordinal()].increment();
    }

    public void onRead(long bytes) {
        bytesRead.add(bytes);
    }

    public void onWritten(long bytes) {
        bytesWritten.add(bytes);
    }

    public long opened() {
        return opened.sum();
    }

    public long closed(Kind kind) {
        return closed[kind.ordinal()].sum();
    }

    public long open() {
        long ended = 0; // first: a connection that opens and closes in between must not count as minus one
        for (LongAdder count : closed) {
            ended += count.sum();
        }
        return opened.sum() - ended;
    }

    public long bytesRead() {
        return bytesRead.sum();
    }

    public long bytesWritten() {
        return bytesWritten.sum();
    }
}
