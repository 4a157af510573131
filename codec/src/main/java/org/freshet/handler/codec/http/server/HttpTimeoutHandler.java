package org.freshet.handler.codec.http.server;

import java.util.Objects;
import java.util.function.LongSupplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.util.Timer;

/**
 * Limits how long a client may take to send a request's head, to send its content, to read the response, and between
 * requests.
 *
 * <ul>
 * <li>A head must be complete within {@link HttpTimeouts#head()} of its first byte; the first head of a connection,
 *     within that time of connecting. Without that limit, a new connection counts as one without a request.
 * <li>Content must arrive, and responses must be read while part of one waits to be sent, at
 *     {@link HttpTimeouts#minBytesPerSecond()} in each {@link HttpTimeouts#rateInterval()}. Time during which the
 *     server doesn't read, or withholds {@code 100 Continue}, doesn't count.
 * <li>A connection without a request, and with nothing waiting to be sent, is closed after {@link HttpTimeouts#idle()}.
 * </ul>
 *
 * <p>While a handler works on a response, only {@link HttpTimeouts#response()} applies. It is off by default, and
 * answered with 503. If a head or content is late, an {@link HttpTimeoutException} is fired, which
 * {@link HttpErrorResponder} answers with 408; the channel is then closed in any case. In other cases the channel is
 * closed without a response, and right away if the client doesn't read. The handler does nothing after a 101 or
 * CONNECT, and after the codec has been removed.
 *
 * <pre>{@code
 * pipeline.addLast("timeouts", new HttpTimeoutHandler(timer, HttpTimeouts.defaults()));
 * pipeline.addLast("codec", new HttpServerCodec());
 * }</pre>
 *
 * <p>Put it right before an {@link HttpServerCodec}, or first into the pipeline of an HTTP/2 stream, whose head has
 * arrived before it opens. Use one instance per connection or stream. Everything except the timer's call runs on the
 * I/O thread.
 */
@ActsOn(EventKind.WRITTEN)
public final class HttpTimeoutHandler extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
    /** What the connection is waiting for. */
    private enum Phase {
        /** A head that has begun, or the first one. */
        HEAD,
        CONTENT,
        /** A response. */
        ANSWER,
        /** A request. */
        IDLE,
        /** The connection no longer speaks HTTP, or was closed. */
        OVER
    }

    private final Timer timer;
    private final HttpTimeouts limits;
    private final LongSupplier nanoClock;

    private Exchanges exchanges;
    private Phase phase = Phase.IDLE;

    /** The end of the phase; meaningless in OVER, and in phases without a limit. */
    private long deadlineNanos;

    /** Bytes received when {@link #deadlineNanos} was set last, in CONTENT. */
    private long receivedBefore;

    /** The number of requests received when the phase began. */
    private long requests;

    /** Output has been waiting since {@link #sendDeadlineNanos} was set, so the client's reading speed is measured. */
    private boolean isSending;

    private long sendDeadlineNanos;
    private long sentBytes;

    /** Bytes that the connection had sent in turn when {@link #sendDeadlineNanos} was set. */
    private long sentByConnectionBefore;

    /** Time is up: the connection must end, whatever else happens. */
    private boolean isLate;

    /** Null until the connection is watched. */
    private Alarm alarm;

    /**
     * Creates a handler for one connection.
     *
     * @param timer never stopped by this handler
     */
    public HttpTimeoutHandler(Timer timer, HttpTimeouts limits) {
        this(timer, limits, Objects.requireNonNull(timer, "timer")::nanoTime);
    }

    HttpTimeoutHandler(Timer timer, HttpTimeouts limits, LongSupplier nanoClock) {
        this.timer = Objects.requireNonNull(timer, "timer");
        this.limits = Objects.requireNonNull(limits, "limits");
        this.nanoClock = nanoClock;
    }

    // ---- events ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent) {
            ctx.sendUpstream(e);
            update();
        } else if (e instanceof WriteCompletionEvent written) {
            sentBytes += written.getWrittenAmount();
            ctx.sendUpstream(e);
            if (phase == Phase.ANSWER || phase == Phase.IDLE) {
                update();
            }
            lookAtOutput(ctx);
        } else {
            super.handleUpstream(ctx, e);
        }
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        start(ctx);
        ctx.sendUpstream(e);
    }

    private void start(ChannelHandlerContext ctx) {
        exchanges = Exchanges.require(ctx);
        stop();
        alarm = Alarm.ofLimit(timer, task -> SerialChannel.executeUrgently(ctx.getChannel(), task), () -> check(ctx));
        isLate = false;
        phase = Phase.IDLE; // the handler may have been in another pipeline before
        Phase first = next();
        begin(first == Phase.IDLE && limits.headNanos() > 0 ? Phase.HEAD : first);
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        lookAtOutput(ctx);
        if (phase == Phase.CONTENT) {
            restartContent(); // the server may have stopped reading for a while
        }
        ctx.sendUpstream(e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        stop();
        ctx.sendUpstream(e);
    }

    // ---- phases ----

    /** Adjusts the phase to what the codec has made of the input. */
    private void update() {
        Phase next = next();
        if (next == Phase.IDLE || next != phase || requests != exchanges.receivedRequests()) {
            begin(next);
        }
    }

    private Phase next() {
        if (phase == Phase.OVER || exchanges == null || exchanges.isUpgraded()) {
            return Phase.OVER;
        }
        Exchange newest = exchanges.newest();
        if (newest != null && newest.isReceivingContent() && !newest.isAwaitingContinue()) {
            return Phase.CONTENT;
        }
        if (exchanges.current() != null || exchanges.hasUndecodedInput()) {
            return Phase.ANSWER;
        }
        return exchanges.isReceivingHead() ? Phase.HEAD : Phase.IDLE;
    }

    private void begin(Phase next) {
        switch (next) {
            case HEAD -> enter(next, limits.headNanos());
            case CONTENT -> restartContent();
            case ANSWER -> awaitAnswer();
            case IDLE -> enter(next, limits.idleNanos());
            case OVER -> phase = next;
        }
    }

    /**
     * Checks again from time to time even without a limit, because bytes held back are decoded without an event here.
     */
    private void awaitAnswer() {
        enter(Phase.ANSWER, limits.responseNanos() > 0 ? limits.responseNanos() : limits.rateNanos());
    }

    /** Asks the write account, since a file region leaves the channel writable however long it takes. */
    private void lookAtOutput(ChannelHandlerContext ctx) {
        boolean wasSending = isSending;
        Channel channel = ctx.getChannel();
        isSending = alarm != null
                && phase != Phase.OVER
                && (!channel.isWritable() || WriteAccount.waitingBytes(channel) > 0);
        if (isSending && !wasSending) {
            restartSending(ctx);
        }
    }

    private void restartContent() {
        receivedBefore = exchanges.receivedBytes();
        enter(Phase.CONTENT, limits.rateNanos());
    }

    private void restartSending(ChannelHandlerContext ctx) {
        sentBytes = 0;
        sentByConnectionBefore = bytesSentByConnection(ctx);
        sendDeadlineNanos = nanoClock.getAsLong() + limits.rateNanos();
        schedule(sendDeadlineNanos);
    }

    /** @param nanos 0 means no limit */
    private void enter(Phase next, long nanos) {
        phase = next;
        requests = exchanges.receivedRequests();
        if (nanos > 0) {
            deadlineNanos = nanoClock.getAsLong() + nanos;
            schedule(deadlineNanos);
        }
    }

    private boolean isUnlimited() {
        return phase == Phase.HEAD && limits.headNanos() == 0 || phase == Phase.IDLE && limits.idleNanos() == 0;
    }

    // ---- time ----

    /** A check that runs too early finds nothing to do and schedules another. */
    private void schedule(long atNanos) {
        alarm.setBy(atNanos, nanoClock.getAsLong());
    }

    private void check(ChannelHandlerContext ctx) {
        if (isLate) { // the earlier attempt to end the connection may have run out of memory
            ctx.getChannel().close();
        }
        if (!ctx.getChannel().isOpen()) {
            return;
        }
        if (isOver(ctx)) {
            phase = Phase.OVER;
            return;
        }
        long now = nanoClock.getAsLong();
        lookAtOutput(ctx); // the last bytes may have been sent without an event
        if (isSending) {
            checkSending(ctx, now);
        }
        Phase actual = next();
        boolean isFirstHead = phase == Phase.HEAD && actual == Phase.IDLE; // nothing has arrived at all
        if (actual != phase && !isFirstHead || requests != exchanges.receivedRequests()) {
            begin(actual);
        } else if (phase == Phase.ANSWER) {
            checkAnswer(ctx, now);
        } else if (phase != Phase.OVER && !isUnlimited()) {
            checkPhase(ctx, now);
        }
    }

    private boolean isOver(ChannelHandlerContext ctx) {
        return exchanges.isUpgraded() || exchanges.isRemoved();
    }

    private void checkSending(ChannelHandlerContext ctx, long now) {
        if (now - sendDeadlineNanos < 0) {
            schedule(sendDeadlineNanos);
        } else if (sentBytes >= limits.bytesAnInterval()
                || bytesSentByConnection(ctx) - sentByConnectionBefore >= limits.bytesAnInterval()) {
            restartSending(ctx);
        } else {
            stop();
            isLate = true;
            Channels.noteCloseReason(
                    ctx.getChannel(),
                    CloseReason.of(
                            CloseReason.Kind.TIMED_OUT,
                            "the client read less than " + limits.minBytesPerSecond() + " bytes per second"));
            Channels.disconnect(ctx, Channels.future(ctx.getChannel())); // it doesn't read, so nothing more is sent
        }
    }

    private void checkPhase(ChannelHandlerContext ctx, long now) {
        if (now - deadlineNanos < 0) {
            schedule(deadlineNanos);
        } else if (!ctx.getChannel().isReadable() || isContentWithheld(ctx)) {
            begin(phase); // not the client's fault
        } else if (phase == Phase.CONTENT && exchanges.receivedBytes() - receivedBefore >= limits.bytesAnInterval()) {
            restartContent();
        } else if (phase == Phase.IDLE && isSending) { // the end of a response waits, which is timed separately
            begin(phase);
        } else {
            onLate(ctx);
        }
    }

    private boolean isContentWithheld(ChannelHandlerContext ctx) {
        return phase == Phase.CONTENT
                && ctx.getChannel() instanceof Exchanges.Carrier carrier
                && carrier.isContentWithheld();
    }

    private static long bytesSentByConnection(ChannelHandlerContext ctx) {
        return ctx.getChannel() instanceof Exchanges.Carrier carrier ? carrier.bytesSentByConnection() : 0;
    }

    private void checkAnswer(ChannelHandlerContext ctx, long now) {
        Exchange exchange = exchanges.current();
        boolean isLate = limits.responseNanos() > 0 && exchange != null && exchange.isAwaited();
        if (now - deadlineNanos < 0) {
            schedule(deadlineNanos);
        } else if (isLate) {
            onLate(ctx);
        } else {
            awaitAnswer();
        }
    }

    private void onLate(ChannelHandlerContext ctx) {
        HttpTimeoutException failure = failure();
        stop();
        isLate = true;
        CloseReason reason = CloseReason.of(
                CloseReason.Kind.TIMED_OUT, failure == null ? "no request on an idle connection" : null, failure);
        if (failure != null) {
            Channels.noteCloseReason(ctx.getChannel(), reason);
            Channels.fireExceptionCaught(ctx, failure);
        }
        Channel channel = ctx.getChannel();
        if (channel.isOpen()) {
            Channels.close(ctx, Channels.future(channel), reason);
        }
    }

    /** Null if no request has begun. */
    private HttpTimeoutException failure() {
        if (phase == Phase.ANSWER) {
            return new HttpTimeoutException(
                    "no handler answered within " + limits.response().toMillis() + " ms",
                    HttpResponseStatus.SERVICE_UNAVAILABLE);
        }
        if (phase == Phase.CONTENT) {
            return new HttpTimeoutException(
                    "content arrived at less than " + limits.minBytesPerSecond() + " bytes per second");
        }
        return phase == Phase.HEAD && exchanges.isReceivingHead()
                ? new HttpTimeoutException(
                        "a head was not complete after " + limits.head().toMillis() + " ms")
                : null;
    }

    private void stop() {
        phase = Phase.OVER;
        if (alarm != null) {
            alarm.cancel();
        }
    }

    // ---- life cycle ----

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {}

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && ctx.getChannel().isConnected()) {
            start(ctx);
        }
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {}

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        stop();
    }
}
