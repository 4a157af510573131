package org.freshet.handler.codec.http;

import java.util.function.Consumer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;

/**
 * The exchanges of a server's channel: those of the {@link HttpServerCodec} in its pipeline, or the one of an HTTP/2 stream. Handlers that
 * answer, log, compress or measure read what is here and keep no account of their own.
 *
 * <p>A handler that reads this while it passes a response on sees what the codec has taken. Put handlers that hold messages back, such as
 * {@link org.freshet.handler.stream.ChunkedWriteHandler}, above those that read it.
 *
 * <p>Any thread may call, unless a method says otherwise.
 */
public interface Exchanges {
    /** A channel that carries HTTP messages without a codec in its pipeline. */
    interface Carrier {
        Exchanges exchanges();

        /** The protocol on the wire, such as {@code HTTP/2.0}, for logs. */
        String wireProtocol();

        /**
         * Whether content can't come because of what other channels of the same connection have not read, which is not this client's
         * fault. I/O thread.
         */
        boolean isContentWithheld();

        /**
         * What the connection has sent for all its channels; 0 while the client's window for this one is closed. A channel that waits for its
         * turn doesn't make its client slow. I/O thread.
         */
        long bytesSentInTurn();
    }

    /** Those of a pipeline's codec, else those of its channel; null if neither has any. */
    static Exchanges of(ChannelPipeline pipeline) {
        HttpServerCodec codec = pipeline.get(HttpServerCodec.class);
        if (codec != null) {
            return codec.exchanges();
        }
        return pipeline.getChannel() instanceof Carrier carrier ? carrier.exchanges() : null;
    }

    /**
     * As {@link #of(ChannelPipeline)}, for a handler that can't work without.
     *
     * @throws IllegalStateException if there are none
     */
    static Exchanges require(ChannelHandlerContext ctx) {
        Exchanges exchanges = of(ctx.getPipeline());
        if (exchanges == null) {
            throw new IllegalStateException(ctx.getName()
                    + " needs an HttpServerCodec in its pipeline, or the channel of a server's HTTP/2 stream");
        }
        return exchanges;
    }

    /** The exchange that the next response or content belongs to: the oldest one that isn't over. Null if there is none. */
    Exchange current();

    /** The exchange whose request came last, over or not; null before the first. */
    Exchange newest();

    /** How many requests have no complete answer. */
    int unanswered();

    /** Whether a part of a request's head has come that isn't decoded, other than for unanswered requests. I/O thread. */
    boolean isReceivingHead();

    /** Whether something has come behind the newest request that isn't decoded until its turn comes. */
    boolean isHoldingMore();

    /** Whether the connection has left HTTP, by a 101 or a 2xx to CONNECT. */
    boolean isUpgraded();

    /** Whether the codec these belong to has been removed. */
    boolean isRemoved();

    /** How many requests were decoded. I/O thread. */
    long receivedRequests();

    /** How many bytes have come, including heads and framing where they are counted. I/O thread. */
    long receivedBytes();

    /** The exchange that was made for this very request; null if there is none, or if it is over. */
    default Exchange ofDecoded(HttpRequest request) {
        for (Exchange exchange = current(); exchange != null; exchange = exchange.next()) {
            if (exchange.getRequest() == request && !exchange.isOver()) {
                return exchange;
            }
        }
        return null;
    }

    /**
     * The exchange of a request that isn't over; for a request that no exchange has, the newest one. Null if there is none. Ask while the
     * request is being received: later, the newest may be that of another request.
     */
    default Exchange of(HttpRequest request) {
        Exchange decoded = ofDecoded(request);
        if (decoded != null) {
            return decoded;
        }
        Exchange newest = newest();
        return newest == null || newest.isOver() ? null : newest;
    }

    /** Calls an action for each exchange that isn't over, oldest first. */
    default void forEachOpen(Consumer<Exchange> action) {
        for (Exchange exchange = current(); exchange != null; exchange = exchange.next()) {
            if (!exchange.isOver()) {
                action.accept(exchange);
            }
        }
    }

    /** Whether a part of the newest request's content hasn't come. */
    default boolean isReceivingContent() {
        Exchange newest = newest();
        return newest != null && newest.isReceivingContent();
    }
}
