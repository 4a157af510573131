package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The exchanges of one HTTP/1 connection, in the order of their requests.
 *
 * <p>Threading: the I/O thread adds, the thread that writes responses ends them; any thread may read.
 */
final class ServerExchanges implements Exchanges {
    private static final VarHandle ADDED;
    private static final VarHandle PASSED;
    private static final VarHandle NEWEST;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ADDED = lookup.findVarHandle(ServerExchanges.class, "added", int.class);
            PASSED = lookup.findVarHandle(ServerExchanges.class, "passed", int.class);
            NEWEST = lookup.findVarHandle(ServerExchanges.class, "newest", Exchange.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HttpServerCodec codec;

    /** The oldest that may not be over: those before it are. Null before the first. */
    private volatile Exchange oldest;

    private volatile Exchange newest;

    /** How many were added. I/O thread only. */
    private volatile int added;

    /** How many answers were passed on to their end. Wraps around together with {@link #added}. */
    private volatile int passed;

    /** Requests alone; I/O thread only. */
    long requests;

    /** I/O thread only. */
    long bytes;

    ServerExchanges(HttpServerCodec codec) {
        this.codec = codec;
    }

    /** I/O thread only. */
    void add(Exchange exchange) {
        Exchange before = newest;
        ADDED.setRelease(this, added + 1);
        if (before == null) {
            oldest = exchange;
        } else {
            before.putNext(exchange);
        }
        NEWEST.setRelease(this, exchange);
    }

    @Override
    public Exchange current() {
        Exchange exchange = oldest;
        while (exchange != null && exchange.isOver()) {
            exchange = exchange.next();
            if (exchange != null) {
                oldest = exchange;
            }
        }
        return exchange;
    }

    /** The last byte of an answer was passed on: only now may what follows be decoded, for it may be answered right away. */
    void onPassed(Exchange exchange) {
        exchange.forget();
        PASSED.getAndAdd(this, 1);
    }

    @Override
    public Exchange newest() {
        return newest;
    }

    @Override
    public int unanswered() {
        return added - passed;
    }

    @Override
    public boolean isReceivingHead() {
        return codec.isReceivingHead();
    }

    @Override
    public boolean isHoldingMore() {
        return codec.isHoldingMore();
    }

    @Override
    public boolean isUpgraded() {
        return codec.isUpgraded();
    }

    @Override
    public boolean isRemoved() {
        return codec.isRemoved();
    }

    @Override
    public long receivedRequests() {
        return requests;
    }

    @Override
    public long receivedBytes() {
        return bytes;
    }
}
