package org.freshet.handler.codec.http;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.Borrowers;

/**
 * The client side of HTTP/1. Combines {@link HttpRequestEncoder} and {@link HttpResponseDecoder}, which share what they
 * know, so that responses to HEAD and CONNECT are read correctly.
 *
 * <p>Content must match what the head of its request declares; see {@link HttpRequestEncoder}.
 *
 * <p>Interim responses (1xx except 101) belong to the same request as the final one. A response without a request, or a
 * 101 to a request without {@code Upgrade}, causes a {@link MalformedHttpMessageException}, and the channel is closed.
 * After a 101, or a 2xx to CONNECT, bytes pass unchanged in both directions.
 *
 * <p>You may remove or replace the codec at any time: bytes received but not yet decoded go to the handler that takes
 * its place.
 *
 * <p>Threading: responses are decoded on the channel's I/O thread. Requests, and the chunks of a request, must be
 * written one after the other, but any thread may write them.
 */
@ChannelHandler.Borrower
@ActsOn({EventKind.DISCONNECTED, EventKind.CLOSED})
public class HttpClientCodec extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
    /** Requests whose final response has not begun, oldest first. */
    private final Queue<Asked> unanswered = new ConcurrentLinkedQueue<>();

    private final Encoder encoder = new Encoder();
    private final Decoder decoder;
    private final boolean failOnMissingResponse;

    /** Completely written requests minus completely received responses. */
    private final AtomicLong missingResponses = new AtomicLong();

    /** The connection no longer speaks HTTP. */
    private volatile boolean switched;

    private ChannelHandlerContext ctx;

    /** Uses {@link HttpLimits#defaults()}. */
    public HttpClientCodec() {
        this(HttpLimits.defaults(), false);
    }

    /** Uses {@link HttpLimits#defaults()} except for these three; see there for their meaning. */
    public HttpClientCodec(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        this(maxInitialLineLength, maxHeaderSize, maxChunkSize, false);
    }

    /** @param failOnMissingResponse see {@link #HttpClientCodec(HttpLimits, boolean)} */
    public HttpClientCodec(
            int maxInitialLineLength, int maxHeaderSize, int maxChunkSize, boolean failOnMissingResponse) {
        this(LimitSets.defaultsWith(maxInitialLineLength, maxHeaderSize, maxChunkSize), failOnMissingResponse);
    }

    /**
     * @param failOnMissingResponse whether a {@link PrematureChannelClosureException} is fired if the channel closes
     *     before all responses were received completely
     */
    public HttpClientCodec(HttpLimits limits, boolean failOnMissingResponse) {
        this.decoder = new Decoder(limits);
        this.failOnMissingResponse = failOnMissingResponse;
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        this.ctx = ctx;
        if (e instanceof MessageEvent received) {
            Borrowers.message(
                    this, received); // copied on behalf of a subclass that does not borrow, before the decoder asks
        }
        decoder.handleUpstream(ctx, e);
        if (failOnMissingResponse && isClosed(e)) {
            long missing = missingResponses.get();
            if (missing > 0) {
                throw new PrematureChannelClosureException(
                        missing == 1
                                ? "the channel closed with 1 response missing"
                                : "the channel closed with " + missing + " responses missing");
            }
        }
    }

    /** Only the open state has the value false. */
    private static boolean isClosed(ChannelEvent e) {
        return e instanceof ChannelStateEvent change && Boolean.FALSE.equals(change.getValue());
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (switched) {
            ctx.sendDownstream(e);
        } else {
            encoder.handleDownstream(ctx, e);
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
        decoder.beforeAdd(ctx);
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        decoder.beforeRemove(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        decoder.afterRemove(ctx);
    }

    /** Encodes requests, and records what reading their responses depends on. */
    final class Encoder extends HttpRequestEncoder {
        private Asked newest;

        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
            Object encoded = super.encode(ctx, channel, msg);
            if (msg instanceof HttpRequest request) {
                newest = isEarly() ? Asked.once(request) : Asked.by(request);
                unanswered.add(newest);
            }
            return encoded;
        }

        @Override
        Runnable undo() {
            Asked asked = newest;
            return () -> {
                if (remove(asked)) {
                    missingResponses.decrementAndGet();
                }
            };
        }

        /**
         * An instance that several requests share is the last one: its write has not returned yet. Returns false if a
         * response was taken for the answer to the request.
         */
        private boolean remove(Asked asked) {
            for (Iterator<Asked> each = unanswered.iterator(); each.hasNext(); ) {
                if (each.next() == asked && !(asked.isShared() && each.hasNext())) {
                    each.remove();
                    return true;
                }
            }
            return false;
        }

        @Override
        void onRequestEnd() {
            missingResponses.incrementAndGet();
        }
    }

    /** Decodes responses, each as the answer to the oldest request. */
    @ChannelHandler.Borrower
    private final class Decoder extends HttpResponseDecoder {
        /** The response being decoded is an interim one. */
        private boolean interim;

        /** The response being decoded opens a tunnel. */
        private boolean connected;

        Decoder(HttpLimits limits) {
            super(limits);
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage msg) {
            int code = ((HttpResponse) msg).getStatus().getCode();
            interim = code < 200 && code != 101;
            Asked asked = interim ? unanswered.peek() : unanswered.poll();
            if (asked == null) {
                throw new Unsolicited("a response without a request");
            }
            if (code == 101 && !asked.upgrade) {
                throw new Unsolicited("a 101 to a request without Upgrade");
            }
            connected = HttpMethod.CONNECT.equals(asked.method) && code / 100 == 2;
            return connected || HttpMethod.HEAD.equals(asked.method) || super.isContentAlwaysEmpty(msg);
        }

        @Override
        void onMessageEnd() {
            if (!interim) {
                missingResponses.decrementAndGet();
            }
            if (connected) {
                upgrade();
            }
            switched = getState() == State.UPGRADED;
        }

        @Override
        protected Object decode(
                ChannelHandlerContext ctx, Channel channel, org.freshet.buffer.ChannelBuffer buffer, State state)
                throws Exception {
            try {
                return super.decode(ctx, channel, buffer, state);
            } catch (Unsolicited e) {
                Channels.close(
                        HttpClientCodec.this.ctx,
                        Channels.future(channel),
                        CloseReason.of(CloseReason.Kind.PROTOCOL, e.getMessage()));
                throw new MalformedHttpMessageException(e.getMessage(), HttpResponseStatus.BAD_GATEWAY);
            }
        }
    }

    /** The facts about a request that its response depends on. */
    private record Asked(HttpMethod method, boolean upgrade) {
        private static final Asked GET = new Asked(HttpMethod.GET, false);
        private static final Asked POST = new Asked(HttpMethod.POST, false);

        static Asked by(HttpRequest request) {
            HttpMethod method = request.getMethod();
            if (request.headers().contains(HttpHeaders.Names.UPGRADE)) {
                return new Asked(method, true);
            }
            return method == HttpMethod.GET ? GET : method == HttpMethod.POST ? POST : new Asked(method, false);
        }

        /** Returns an instance that belongs to this request alone. */
        static Asked once(HttpRequest request) {
            return new Asked(request.getMethod(), request.headers().contains(HttpHeaders.Names.UPGRADE));
        }

        boolean isShared() {
            return this == GET || this == POST;
        }
    }

    /** Gets out of the decoder through a method that declares no checked exception. */
    private static final class Unsolicited extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unsolicited(String what) {
            super(what, null, false, false);
        }
    }
}
