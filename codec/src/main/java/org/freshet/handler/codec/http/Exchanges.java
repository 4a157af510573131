package org.freshet.handler.codec.http;

import java.util.function.Consumer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;

/**
 * The exchanges of a server's channel: those of the {@link HttpServerCodec} in its pipeline, or the one exchange of an
 * HTTP/2 stream. Handlers that answer, log, compress or measure read from here instead of keeping their own records.
 *
 * <p>A handler that reads this after passing a response on sees the state that the codec has reached. Put handlers that
 * hold messages back, such as {@link org.freshet.handler.stream.ChunkedWriteHandler}, after handlers that read it.
 *
 * <p>Any thread may call these methods, unless a method says otherwise.
 */
public interface Exchanges {
    /** A channel that carries HTTP messages, and file regions as content, without a codec in its pipeline. */
    interface Carrier {
        Exchanges exchanges();

        /** The protocol on the wire, such as {@code HTTP/2.0}, for logs. */
        String wireProtocol();

        /**
         * Whether content is held up because other channels of the same connection have not been read. That isn't this
         * client's fault. Called on the I/O thread.
         */
        boolean isContentWithheld();

        /**
         * Bytes that the connection has sent for all its channels; 0 while the client's window for this channel is
         * closed. While a channel waits for its turn, its client isn't to blame. Called on the I/O thread.
         */
        long bytesSentByConnection();
    }

    /** The exchanges of the pipeline's codec, otherwise of its channel; null if neither has any. */
    static Exchanges of(ChannelPipeline pipeline) {
        HttpServerCodec codec = pipeline.get(HttpServerCodec.class);
        if (codec != null) {
            return codec.exchanges();
        }
        return pipeline.getChannel() instanceof Carrier carrier ? carrier.exchanges() : null;
    }

    /**
     * Returns the exchanges for a handler that can't work without them. Unlike {@link #of(ChannelPipeline)}, it never
     * returns null.
     *
     * @throws IllegalStateException if there are no exchanges
     */
    static Exchanges require(ChannelHandlerContext ctx) {
        Exchanges exchanges = of(ctx.getPipeline());
        if (exchanges == null) {
            throw new IllegalStateException(ctx.getName()
                    + " needs an HttpServerCodec in its pipeline, or the channel of a server's HTTP/2 stream");
        }
        return exchanges;
    }

    /**
     * The exchange that the next response or content belongs to: the oldest one that isn't over. Null if all are over.
     */
    Exchange current();

    /** Whether a response to it may be written now: those before it have been passed on, not only encoded. */
    default boolean isDue(Exchange exchange) {
        return exchange == current();
    }

    /** The exchange of the newest request, whether over or not; null before the first. */
    Exchange newest();

    /** The number of requests without a complete response. */
    int unanswered();

    /**
     * Whether part of a request's head has arrived but can't be decoded yet, except because requests are unanswered.
     * I/O thread.
     */
    boolean isReceivingHead();

    /** Whether bytes after the newest request have arrived that won't be decoded until their turn comes. */
    boolean hasUndecodedInput();

    /** Whether the connection has left HTTP, by a 101 or a 2xx to CONNECT. */
    boolean isUpgraded();

    /** Whether the codec that these exchanges belong to has been removed. */
    boolean isRemoved();

    /** The number of requests decoded. I/O thread only. */
    long receivedRequests();

    /** The number of bytes received, including heads and framing where they are counted. I/O thread only. */
    long receivedBytes();

    /** The exchange that was created for exactly this request; null if no exchange has this request, or if it is over. */
    default Exchange ofDecoded(HttpRequest request) {
        Exchange newest = newest();
        if (newest != null && newest.getRequest() == request) { // usual while the request is being received
            return newest.isDone() ? null : newest;
        }
        for (Exchange exchange = current(); exchange != null; exchange = exchange.next()) {
            if (exchange.getRequest() == request && !exchange.isDone()) {
                return exchange;
            }
        }
        return null;
    }

    /**
     * Finds the exchange of a request that isn't over. If no exchange has this request, returns the newest one. Null if
     * that is over, too. Ask while the request is being received: later, the newest exchange may belong to another
     * request.
     */
    default Exchange of(HttpRequest request) {
        Exchange decoded = ofDecoded(request);
        if (decoded != null) {
            return decoded;
        }
        Exchange newest = newest();
        return newest == null || newest.isDone() ? null : newest;
    }

    /** Calls an action for each exchange that isn't over, oldest first. */
    default void forEachOpen(Consumer<Exchange> action) {
        for (Exchange exchange = current(); exchange != null; exchange = exchange.next()) {
            if (!exchange.isDone()) {
                action.accept(exchange);
            }
        }
    }

    /** Whether part of the newest request's content hasn't arrived. */
    default boolean isReceivingContent() {
        Exchange newest = newest();
        return newest != null && newest.isReceivingContent();
    }
}
