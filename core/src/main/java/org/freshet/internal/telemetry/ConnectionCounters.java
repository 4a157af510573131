package org.freshet.internal.telemetry;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.freshet.channel.CloseReason.Kind;

/** The totals of one factory's channels, for a transport without loops. Any thread may call any method. */
public final class ConnectionCounters {
    /** A factory of such channels, or one of its channels. */
    public interface Source {
        ConnectionCounters connectionCounters();
    }

    /** By factory, for factories that are not a {@link Source}. */
    private static final Map<Object, ConnectionCounters> BY_FACTORY = Collections.synchronizedMap(new WeakHashMap<>());

    private final String role;
    private final LongAdder opened = new LongAdder();
    private final LongAdder[] closed = new LongAdder[Kind.values().length];
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();

    /**
     * @param role the factory's purpose, such as {@code local-server}
     */
    public ConnectionCounters(String role) {
        this.role = role;
        for (int i = 0; i < closed.length; i++) {
            closed[i] = new LongAdder();
        }
    }

    /** Returns null for a factory that has loops, or has not created a channel yet. */
    public static ConnectionCounters of(Object factory) {
        return factory instanceof Source source ? source.connectionCounters() : BY_FACTORY.get(factory);
    }

    /** Registers these counters for {@link #of}. */
    public void belongTo(Object factory) {
        BY_FACTORY.putIfAbsent(factory, this);
    }

    public String role() {
        return role;
    }

    /** Called when a connection was made or accepted. */
    public void onOpened() {
        opened.increment();
    }

    /** Called when a connection that was counted as opened is closed. */
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
