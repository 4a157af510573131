package org.freshet.handler.codec.http.server.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.internal.handler.CoalescedTask;
import org.freshet.internal.handler.ReadSuspension;

/**
 * Keeps responses in order for a handler that answers some requests itself and passes on the others. A request answered
 * here waits until its exchange is the current one, until the previous response has been sent or no longer needs the
 * file system, and until the channel is writable. Everything after it waits as well, with reading suspended. The
 * handler forwards its calls to this object.
 *
 * <p>Threading: one thread at a time calls the {@link Answerer}. It is the channel's I/O thread, unless an earlier
 * handler passes events on elsewhere. Any thread may call {@link #onAnswered}.
 */
public final class AnswerQueue {
    private final Answerer answerer;

    private final ExchangesLink links = new ExchangesLink();

    /** Received messages, refusals and the end of input that could not be processed yet, in order. */
    private final Queue<ChannelEvent> waiting = new ConcurrentLinkedQueue<>();

    private final CoalescedTask draining = new CoalescedTask(this::drain);

    /** A response of this handler is not complete. */
    private volatile boolean answering;

    /** The chunks that follow belong to a request that this handler answers. Draining thread only. */
    private boolean discardsContent;

    /** Draining thread only. */
    private boolean suspended;

    private volatile boolean removed;

    /** Null until reading must be suspended, or a handler above sets readable or not. */
    private volatile ReadSuspension reading;

    private volatile ChannelHandlerContext ctx;

    public AnswerQueue(Answerer answerer) {
        this.answerer = answerer;
    }

    public ChannelHandlerContext context() {
        return ctx;
    }

    public Channel channel() {
        return ctx.getChannel();
    }

    /** See {@link org.freshet.channel.ChannelUpstreamHandler}. */
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        boolean ordered = e instanceof MessageEvent
                || e instanceof InputShutdownEvent
                || e instanceof ExceptionEvent failure && failure.getCause() instanceof HttpFailure;
        if (ordered) {
            waiting.add(e);
            draining.request();
        } else {
            answerer.passStateOn(ctx, e);
            if (!waiting.isEmpty()) { // the channel may be writable again, or closed
                draining.request();
            }
        }
    }

    private void drain() {
        if (removed) {
            passOnAll();
            return;
        }
        for (ChannelEvent next = waiting.peek(); next != null && !mustWait(next); next = waiting.peek()) {
            waiting.remove();
            try {
                process(next);
            } catch (Throwable e) { // the application decides what is answered here, and may throw anything
                Channels.fireExceptionCaught(channel(), e);
            }
        }
        if (!ctx.getChannel().isOpen()) {
            waiting.clear();
        }
        suspendReading(!waiting.isEmpty());
    }

    private void suspendReading(boolean suspend) {
        if (suspend != suspended) {
            suspended = suspend;
            if (suspend) {
                reading().suspend();
            } else {
                reading().resume();
            }
        }
    }

    private void passOnAll() {
        for (ChannelEvent next = waiting.poll(); next != null; next = waiting.poll()) {
            ctx.sendUpstream(next);
        }
        suspendReading(false);
    }

    private boolean mustWait(ChannelEvent e) {
        Object message = e instanceof MessageEvent received ? received.getMessage() : null;
        if (message instanceof HttpChunk && discardsContent) {
            return false;
        }
        if (answering) {
            return !(e instanceof InputShutdownEvent); // at the head of the queue, no message comes before it
        }
        return message instanceof HttpRequest request && !isDue(request) && mayTake(request);
    }

    /**
     * If the answerer throws, it is called again when the request's turn has come and its exchange is the current one.
     */
    private boolean mayTake(HttpRequest request) {
        try {
            return answerer.takes(request);
        } catch (Throwable e) {
            return true;
        }
    }

    private boolean isDue(HttpRequest request) {
        Exchanges exchanges = links.of(ctx);
        return exchanges.isDue(exchanges.of(request)) && channel().isWritable();
    }

    private void process(ChannelEvent e) {
        Object message = e instanceof MessageEvent received ? received.getMessage() : null;
        if (message instanceof HttpRequest request) {
            discardsContent = request.isChunked(); // even if the answerer throws, since no handler gets the head then
            if (answerer.takes(request)) {
                startAnswer(request);
                return;
            }
            discardsContent = false;
            Exchange exchange = links.of(ctx).of(request);
            if (exchange != null) {
                answerer.onPassedOn(request, exchange);
            }
        } else if (message instanceof HttpChunk chunk && discardsContent) {
            discardsContent = !chunk.isLast();
            return;
        }
        ctx.sendUpstream(e);
    }

    private void startAnswer(HttpRequest request) {
        answering = true;
        try {
            answerer.answer(request);
        } catch (Throwable e) { // an earlier handler refused the response, or memory is exhausted
            Channels.noteCloseReason(channel(), notSent(e));
            Channels.fireExceptionCaught(ctx, e);
            channel().close();
        }
    }

    /** The reason for closing when a response can't be sent, so that the client doesn't wait for it. */
    public static CloseReason notSent(Throwable cause) {
        return CloseReason.of(CloseReason.Kind.LOCAL, "a response could not be sent", cause);
    }

    /**
     * Sets {@code Date} and {@code Connection} of the response sent next. Whether the connection is kept depends on the
     * request as the codec read it, since a handler may have changed its headers. It is not kept if the client waits
     * for {@code 100 Continue}: it may then leave out the content, so the next bytes could be either content or a
     * request. A {@link CompletesHeads} in the pipeline does both instead.
     *
     * @return false if the channel must be closed after the response
     */
    public boolean completeHead(HttpRequest request, HttpResponse response) {
        if (ctx.getPipeline().get(CompletesHeads.class) != null) {
            return true;
        }
        HttpHeaders headers = response.headers();
        headers.set(HttpHeaders.Names.DATE, HttpDates.format(System.currentTimeMillis()));
        Exchange exchange = links.of(ctx).current();
        if (exchange == null
                || !exchange.isKeptAlive()
                || exchange.isAwaitingContinue()
                || HttpHeaders.is100ContinueExpected(request)) {
            headers.set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
            return false;
        }
        if (exchange.isHttp10()) {
            headers.set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.KEEP_ALIVE);
        }
        return true;
    }

    /** Sends a response that is one message. Later responses needn't wait until it has been sent. */
    public void sendWhole(HttpResponse response, boolean keepAlive) {
        ChannelFuture sent = Channels.future(channel());
        sent.addListener(keepAlive ? AnswerQueue::closeIfNotSent : ChannelFutureListener.CLOSE);
        Channels.write(ctx, sent, response);
        if (keepAlive) {
            onAnswered();
        }
    }

    private static void closeIfNotSent(ChannelFuture sent) {
        if (!sent.isSuccess()) {
            sent.getChannel().close(notSent(sent.getCause()));
        }
    }

    /**
     * Called if this handler doesn't answer after all: later handlers get the request before anything after it. Any
     * thread.
     */
    public void passOnLate(HttpRequest request) {
        ctx.getPipeline().execute(() -> {
            Exchange exchange = links.of(ctx).of(request);
            if (exchange != null) {
                answerer.onPassedOn(request, exchange);
            }
            ctx.sendUpstream(
                    new UpstreamMessageEvent(channel(), request, channel().getRemoteAddress()));
            onAnswered();
        });
    }

    /** Continues with what waits for the end of this response. */
    public void onAnswered() {
        answering = false;
        processWaiting();
    }

    /** Processes waiting events if there are any. The thread that finishes a response calls this. Any thread may. */
    private void processWaiting() {
        if (!waiting.isEmpty()) {
            ctx.getPipeline().execute(draining::request);
        }
    }

    /** See {@link org.freshet.channel.ChannelDownstreamHandler}. */
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent write) {
            if (write.getMessage() instanceof HttpResponse response) {
                decorateAnswer(response);
            }
            ctx.sendDownstream(e);
            processWaiting(); // others may be waiting for this response
        } else if (ReadSuspension.isReadRequest(e)) {
            reading().request((ChannelStateEvent) e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    private void decorateAnswer(HttpResponse response) {
        Exchange exchange = links.of(ctx).current();
        if (exchange != null && exchange.isAwaited()) {
            answerer.decorate(response, exchange);
        }
    }

    private ReadSuspension reading() {
        ReadSuspension present = reading;
        if (present == null) {
            synchronized (waiting) {
                present = reading == null ? ReadSuspension.at(ctx) : reading;
                reading = present;
            }
        }
        return present;
    }

    /** Call this before the handler is added. */
    public void onAdd(ChannelHandlerContext context) {
        ctx = context;
        removed = false;
    }

    /** Call this after the handler was removed. Everything waiting is passed to the handlers after it. */
    public void onRemove() {
        removed = true;
        draining.request();
    }
}
