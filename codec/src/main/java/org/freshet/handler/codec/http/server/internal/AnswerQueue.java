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
 * The order in which a handler answers some requests itself and passes the others on. A request that is answered here waits until its exchange
 * is the current one, until the answer before it has been sent or no longer needs the file system, and until the channel is writable; everything
 * behind it waits with it, and reading is suspended meanwhile. The handler passes on its calls.
 *
 * <p>Threading: the {@link Answerer} is called by one thread at a time, which is the channel's I/O thread unless a handler before
 * this one passes events on elsewhere. {@link #onAnswered} may be called by any thread.
 */
public final class AnswerQueue {
    private final Answerer answerer;

    private final ExchangesLink links = new ExchangesLink();

    /** Received messages, refusals and the end of the input that could not be dealt with yet, in order. */
    private final Queue<ChannelEvent> waiting = new ConcurrentLinkedQueue<>();

    private final CoalescedTask draining = new CoalescedTask(this::drain);

    /** An answer of this handler is not complete. */
    private volatile boolean answering;

    /** What follows is the content of a request that this handler answers. Draining thread only. */
    private boolean discardsContent;

    /** Draining thread only. */
    private boolean suspended;

    private volatile boolean removed;

    /** Null until there is something to suspend, or a handler above asks to read or not to. */
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
            } catch (Throwable e) { // the application says what is answered here
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
            return !(e instanceof InputShutdownEvent); // at the head of the queue, it has no message before it
        }
        return message instanceof HttpRequest request && !isDue(request) && mayTake(request);
    }

    /** An answerer that fails is asked again when the request's turn has come: there the current exchange is that of the request. */
    private boolean mayTake(HttpRequest request) {
        try {
            return answerer.takes(request);
        } catch (Throwable e) {
            return true;
        }
    }

    private boolean isDue(HttpRequest request) {
        Exchanges exchanges = links.of(ctx);
        return exchanges.of(request) == exchanges.current() && channel().isWritable();
    }

    private void process(ChannelEvent e) {
        Object message = e instanceof MessageEvent received ? received.getMessage() : null;
        if (message instanceof HttpRequest request) {
            discardsContent = request.isChunked(); // also if the answerer fails, because nobody gets the head then
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
        } catch (Throwable e) { // a handler before this one refused the answer, or memory is exhausted
            Channels.noteCloseReason(channel(), notSent(e));
            Channels.fireExceptionCaught(ctx, e);
            channel().close();
        }
    }

    /** The client must not wait for an answer that won't come. */
    public static CloseReason notSent(Throwable cause) {
        return CloseReason.of(CloseReason.Kind.LOCAL, "an answer could not be sent", cause);
    }

    /**
     * Says in the response that is sent next when it was made, and whether the connection is kept: as its request asked when the codec
     * read it, since a handler may have changed its headers meanwhile. It is not if the client waits to be told to send the content: it
     * need not send it any more, and what follows could be either. A {@link CompletesHeads} does both in place of this.
     *
     * @return false if the channel is to be closed behind the answer
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
                || exchange.isContinueOwed()
                || HttpHeaders.is100ContinueExpected(request)) {
            headers.set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
            return false;
        }
        if (exchange.isOfVersion10()) {
            headers.set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.KEEP_ALIVE);
        }
        return true;
    }

    /** Sends an answer that is one message. What follows in order need not wait for it to leave. */
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

    /** This handler has no answer after all: the handlers behind it get the request, before what follows it. Any thread. */
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

    /** Goes on with what waits behind the answer. */
    public void onAnswered() {
        answering = false;
        goOn();
    }

    /** Any thread: whoever ends what others wait for looks whether they do. */
    private void goOn() {
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
            goOn(); // the answer may have been one that others wait for
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

    /** The handler is about to be added. */
    public void onAdd(ChannelHandlerContext context) {
        ctx = context;
        removed = false;
    }

    /** The handler was removed: what waits goes on to the handlers behind it. */
    public void onRemove() {
        removed = true;
        draining.request();
    }
}
