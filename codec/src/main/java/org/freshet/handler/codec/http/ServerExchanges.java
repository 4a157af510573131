package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The exchanges of one HTTP/1 connection, in the order of their requests.
 *
 * <p>Threading: the I/O thread adds exchanges, the thread that writes responses ends them, and any thread may read.
 */
final class ServerExchanges implements Exchanges {
    private static final VarHandle ADDED;
    private static final VarHandle PASSED;
    private static final VarHandle OLDEST;
    private static final VarHandle NEWEST;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ADDED = lookup.findVarHandle(ServerExchanges.class, "added", int.class);
            PASSED = lookup.findVarHandle(ServerExchanges.class, "passed", int.class);
            OLDEST = lookup.findVarHandle(ServerExchanges.class, "oldest", Exchange.class);
            NEWEST = lookup.findVarHandle(ServerExchanges.class, "newest", Exchange.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HttpServerCodec codec;

    /** The oldest exchange that might not be over; all earlier ones are. Null before the first. */
    private volatile Exchange oldest;

    private volatile Exchange newest;

    /** The number of exchanges added. I/O thread only. */
    private volatile int added;

    /** The number of responses passed on completely. Wraps around together with {@link #added}. */
    private volatile int passed;

    /** Counts decoded requests only. I/O thread only. */
    long requests;

    /** Bytes received. I/O thread only. */
    long bytes;

    ServerExchanges(HttpServerCodec codec) {
        this.codec = codec;
    }

    /** I/O thread only. */
    void add(Exchange exchange) {
        exchange.number = added;
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
        while (exchange != null && exchange.isDone()) {
            exchange = exchange.next();
            if (exchange != null) {
                OLDEST.setRelease(this, exchange); // a thread that still sees an older one goes on from there
            }
        }
        return exchange;
    }

    @Override
    public boolean isDue(Exchange exchange) {
        return exchange == current() && (exchange == null || passed == exchange.number);
    }

    /**
     * The last byte of a response was passed on. Only now may the next request be decoded, as it may be answered right
     * away.
     */
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
    public boolean hasUndecodedInput() {
        return codec.hasUndecodedInput();
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
