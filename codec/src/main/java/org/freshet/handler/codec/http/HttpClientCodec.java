package org.freshet.handler.codec.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.freshet.internal.handler.Borrowers;

/**
 * A client's side of HTTP/1: {@link HttpRequestEncoder} and {@link HttpResponseDecoder} in one, which know of each other, so
 * that the answers to HEAD and CONNECT are read as what they are.
 *
 * <p>What is sent agrees with what each request's head declares; see {@link HttpRequestEncoder}.
 *
 * <p>Answers before the final one (1xx but 101) belong to the same request as that. A response that nobody asked for, or a
 * 101 to a request without {@code Upgrade}, is a {@link MalformedHttpMessageException}, and the channel is closed. After a 101,
 * or a 2xx to CONNECT, bytes pass as they are, both ways.
 *
 * <p>It may be removed or replaced at any time: bytes that were received and not decoded go on to the handler that takes its
 * place.
 *
 * <p>Threading: responses are decoded on the channel's I/O thread. Requests, and the chunks of a request, must be written
 * one after the other; which thread writes makes no difference.
 */
@ChannelHandler.Borrower
public class HttpClientCodec extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
    /** The requests whose answers have not begun, oldest first. */
    private final Queue<Asked> unanswered = new ConcurrentLinkedQueue<>();

    private final Encoder encoder = new Encoder();
    private final Decoder decoder;
    private final boolean failOnMissingResponse;

    /** Requests that were written whole, minus responses that were received whole. */
    private final AtomicLong missingResponses = new AtomicLong();

    /** This is not HTTP any more. */
    private volatile boolean switched;

    private ChannelHandlerContext ctx;

    /** With {@link HttpLimits#defaults()}. */
    public HttpClientCodec() {
        this(HttpLimits.defaults(), false);
    }

    /** With {@link HttpLimits#defaults()} but for these three; see there for their meaning. */
    public HttpClientCodec(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        this(maxInitialLineLength, maxHeaderSize, maxChunkSize, false);
    }

    /** @param failOnMissingResponse see {@link #HttpClientCodec(HttpLimits, boolean)} */
    public HttpClientCodec(
            int maxInitialLineLength, int maxHeaderSize, int maxChunkSize, boolean failOnMissingResponse) {
        this(LimitSets.defaultsWith(maxInitialLineLength, maxHeaderSize, maxChunkSize), failOnMissingResponse);
    }

    /**
     * @param failOnMissingResponse whether a {@link PrematureChannelClosureException} is caught if the channel closes while
     *     responses have not come, or not come whole
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
                    this,
                    received); // on behalf of a subclass that does not borrow, it is copied before the decoder asks
        }
        decoder.handleUpstream(ctx, e);
        if (failOnMissingResponse && isClosed(e)) {
            long missing = missingResponses.get();
            if (missing > 0) {
                throw new PrematureChannelClosureException(
                        "the channel closed with " + missing + " response(s) missing");
            }
        }
    }

    private static boolean isClosed(ChannelEvent e) {
        return e instanceof ChannelStateEvent
                && ((ChannelStateEvent) e).getState() == ChannelState.OPEN
                && Boolean.FALSE.equals(((ChannelStateEvent) e).getValue());
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        encoder.handleDownstream(ctx, e);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
        decoder.beforeAdd(ctx);
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        decoder.afterAdd(ctx);
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        decoder.beforeRemove(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        decoder.afterRemove(ctx);
    }

    /** Encodes requests, and remembers what their answers depend on. */
    final class Encoder extends HttpRequestEncoder {
        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
            if (switched) {
                return msg;
            }
            Object encoded = super.encode(ctx, channel, msg);
            if (msg instanceof HttpRequest request) {
                unanswered.add(Asked.by(request));
            }
            return encoded;
        }

        @Override
        void onRequestEnd() {
            missingResponses.incrementAndGet();
        }
    }

    /** Decodes responses, each as the answer to the oldest request. */
    @ChannelHandler.Borrower
    private final class Decoder extends HttpResponseDecoder {
        /** The response being decoded is not the final one. */
        private boolean interim;

        /** The response being decoded opens a tunnel. */
        private boolean connected;

        Decoder(HttpLimits limits) {
            super(limits);
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage msg) {
            int code = ((HttpResponse) msg).getStatus().getCode();
            interim = code >= 100 && code < 200 && code != 101;
            Asked asked = interim ? unanswered.peek() : unanswered.poll();
            if (asked == null) {
                throw new Unsolicited("a response that nobody asked for");
            }
            if (code == 101 && !asked.upgrade) {
                throw new Unsolicited("a 101 to a request without Upgrade");
            }
            connected = !interim && HttpMethod.CONNECT.equals(asked.method) && code / 100 == 2;
            return connected || HttpMethod.HEAD.equals(asked.method) && code != 101 || super.isContentAlwaysEmpty(msg);
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

    /** What of a request its answer depends on. */
    private record Asked(HttpMethod method, boolean upgrade) {
        private static final Asked GET = new Asked(HttpMethod.GET, false);
        private static final Asked POST = new Asked(HttpMethod.POST, false);

        static Asked by(HttpRequest request) {
            HttpMethod method = request.getMethod();
            boolean upgrade = request.headers().contains(HttpHeaders.Names.UPGRADE);
            if (!upgrade && (method == HttpMethod.GET || method == HttpMethod.POST)) {
                return method == HttpMethod.GET ? GET : POST;
            }
            return new Asked(method, upgrade);
        }
    }

    /** Leaves the decoder, whose method in question declares no checked exception. */
    private static final class Unsolicited extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unsolicited(String what) {
            super(what, null, false, false);
        }
    }
}
