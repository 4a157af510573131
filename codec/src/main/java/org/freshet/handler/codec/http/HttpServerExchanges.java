package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelPipeline;

/**
 * The requests that a server receives on a channel, and how far their answers are: what the handlers of a server ask of the
 * {@link HttpServerCodec} below them, or of the channel itself if that carries messages instead of bytes, as the channel of an
 * HTTP/2 stream does.
 *
 * <p>Each method says which threads may call.
 */
public interface HttpServerExchanges {
    /** A channel that carries the messages of HTTP without a codec in its pipeline. */
    interface Carrier {
        /** The requests of this channel. Any thread. */
        HttpServerExchanges exchanges();

        /** The protocol on the wire, such as {@code HTTP/2.0}, for logs. Any thread. */
        String wireProtocol();
    }

    /** Those of a pipeline's codec, else those of its channel; null if neither has any. Any thread. */
    static HttpServerExchanges of(ChannelPipeline pipeline) {
        HttpServerCodec codec = pipeline.get(HttpServerCodec.class);
        if (codec != null) {
            return codec;
        }
        return pipeline.getChannel() instanceof Carrier carrier ? carrier.exchanges() : null;
    }

    /** How many requests have come whose final answers were not written to their end. Any thread. */
    int unansweredRequests();

    /** Whether the head of a request was decoded and a part of its content has not come. Any thread. */
    boolean isReceivingContent();

    /** Whether a part of a request's head has come that is not decoded, other than for unanswered requests. I/O thread. */
    boolean isReceivingHead();

    /** Whether something was refused with an {@link HttpFailure}, so that nothing more is decoded. I/O thread. */
    boolean hasRefused();

    /** Whether the connection has left HTTP, by a 101 or a 2xx to CONNECT. Any thread. */
    boolean isUpgraded();

    /**
     * Whether the client wants to go on after the request whose answer comes next. False if no request waits. For the thread that
     * writes responses.
     */
    boolean isNextKeptAlive();

    /** Whether the request whose answer comes next is of HTTP/1.0. For the thread that writes responses. */
    boolean isNextOfVersion10();

    /** Whether the request whose answer comes next is HEAD. For the thread that writes responses. */
    boolean isNextHead();

    /** How many requests were decoded. I/O thread. */
    long receivedRequests();

    /** How many bytes have come, those of heads and framing included where they are counted. I/O thread. */
    long receivedBytes();

    /** What the request that was decoded last expects before it sends its content. I/O thread. */
    HttpExpectation lastExpectation();

    /** The {@code Content-Length} of the request that was decoded last, in bytes; -1 if it has none. I/O thread. */
    long lastContentLength();
}
