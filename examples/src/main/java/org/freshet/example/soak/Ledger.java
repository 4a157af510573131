package org.freshet.example.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;

/** Counts visits, bytes, open channels, pending futures and faults. Any thread. */
final class Ledger {
    /** Number of faults kept with their text. */
    private static final int MAX_NAMED_FAULTS = 10;

    private final LongAdder bytesReceived = new LongAdder();
    private final LongAdder futuresMade = new LongAdder();
    private final LongAdder futuresCompleted = new LongAdder();
    private final AtomicLong openChannels = new AtomicLong();
    private final LongAdder exchanges = new LongAdder();

    /** Keyed by name. Guarded by this. */
    private final Map<String, Long> visits = new TreeMap<>();

    /** Guarded by this. */
    private final List<String> namedFaults = new ArrayList<>();

    /** Guarded by this. */
    private long faults;

    /** Placed next to the transport in each pipeline, of the server and the clients. */
    private final ChannelHandler handler = new Bookkeeper();

    ChannelHandler handler() {
        return handler;
    }

    /** Expects the future to complete before the end of the run. */
    ChannelFuture watch(ChannelFuture future) {
        futuresMade.increment();
        future.addListener(done -> futuresCompleted.increment());
        return future;
    }

    /** Counts a correct answer. */
    void onExchange() {
        exchanges.increment();
    }

    synchronized void onVisit(String what) {
        visits.merge(what, 1L, Long::sum);
    }

    synchronized void onFault(String what) {
        faults++;
        if (namedFaults.size() < MAX_NAMED_FAULTS) {
            namedFaults.add(what);
        }
    }

    synchronized Map<String, Long> visits() {
        return new TreeMap<>(visits);
    }

    synchronized long faults() {
        return faults;
    }

    /** Returns the first faults. */
    synchronized List<String> namedFaults() {
        return List.copyOf(namedFaults);
    }

    long exchanges() {
        return exchanges.sum();
    }

    long bytesReceived() {
        return bytesReceived.sum();
    }

    /** Counts both ends of the connections, and HTTP/2 streams. */
    long openChannels() {
        return openChannels.get();
    }

    long futures() {
        return futuresMade.sum();
    }

    long futuresThatWait() {
        long completed = futuresCompleted.sum(); // read first: a future that completes meanwhile counts as waiting
        return futuresMade.sum() - completed;
    }

    @ChannelHandler.Sharable
    private final class Bookkeeper implements ChannelUpstreamHandler, ChannelDownstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof MessageEvent message && message.getMessage() instanceof ChannelBuffer buffer) {
                bytesReceived.add(buffer.readableBytes());
            } else if (e instanceof ChannelStateEvent change && change.getState() == ChannelState.OPEN) {
                openChannels.addAndGet(Boolean.TRUE.equals(change.getValue()) ? 1 : -1);
            }
            ctx.sendUpstream(e);
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            watch(e.getFuture());
            ctx.sendDownstream(e);
        }
    }
}
