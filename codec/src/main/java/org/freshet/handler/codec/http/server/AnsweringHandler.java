package org.freshet.handler.codec.http.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpExpectation;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpServerExchanges;
import org.freshet.internal.handler.CoalescedTask;

/**
 * The base of handlers that answer some requests themselves and pass the others on, so that pipelined requests are answered
 * in their order whoever answers. A request of its own waits until those that were passed on are answered, until the answer
 * before it has been sent or no longer needs the file system, and until the channel is writable; everything behind it waits
 * with it, and reading is suspended meanwhile.
 *
 * <p>Threading: {@link #process} runs on one thread at a time, which is the channel's I/O thread unless a handler before
 * this one passes events on elsewhere. {@link #onAnswered} may be called by any thread.
 */
abstract class AnsweringHandler<T> extends ExchangeHandler<T> implements LifeCycleAwareChannelHandler {
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

    volatile ChannelHandlerContext ctx;

    /** Whether this handler answers the request. */
    abstract boolean takes(HttpRequest request);

    /** Answers a request, and calls {@link #onAnswered}, now or later, or closes the channel. */
    abstract void answer(ChannelHandlerContext ctx, HttpRequest request);

    /** What to keep of a request that is passed on, until it is answered; not null. */
    abstract T passOn(HttpRequest request);

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        boolean ordered = e instanceof MessageEvent
                || e instanceof InputShutdownEvent
                || e instanceof ExceptionEvent failure && failure.getCause() instanceof HttpFailure;
        if (ordered) {
            waiting.add(e);
            draining.request();
        } else {
            passStateOn(ctx, e);
            if (!waiting.isEmpty()) { // the channel may be writable again, or closed
                draining.request();
            }
        }
    }

    /** Passes on what is neither a message nor a refusal of the codec nor the end of the input. */
    void passStateOn(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    private void drain() {
        if (removed) {
            passOnAll();
            return;
        }
        for (ChannelEvent next = waiting.peek(); next != null && !mustWait(next); next = waiting.peek()) {
            waiting.remove();
            process(next);
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
                reading(ctx).suspend();
            } else {
                reading(ctx).resume();
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
        return message instanceof HttpRequest request
                && takes(request)
                && (exchanges.open() > 0 || !ctx.getChannel().isWritable());
    }

    private void process(ChannelEvent e) {
        Object message = e instanceof MessageEvent received ? received.getMessage() : null;
        if (message instanceof HttpRequest request) {
            discardsContent = takes(request);
            if (discardsContent) {
                discardsContent = request.isChunked();
                startAnswer(request);
                return;
            }
            expect(ctx, passOn(request), request);
        } else if (message instanceof HttpChunk chunk && discardsContent) {
            discardsContent = !chunk.isLast();
            return;
        }
        ctx.sendUpstream(e);
    }

    private void startAnswer(HttpRequest request) {
        answering = true;
        try {
            answer(ctx, request);
        } catch (RuntimeException e) { // a handler before this one refused the answer
            CloseReason reason = CloseReason.of(CloseReason.Kind.LOCAL, "an answer could not be sent", e);
            Channels.noteCloseReason(channel(), reason);
            Channels.fireExceptionCaught(ctx, e);
            channel().close();
        }
    }

    /**
     * Says in the response that is sent next whether the connection is kept: as its request asked when the codec read it, since a
     * handler may have changed its headers meanwhile. It is not if the client waits to be told to send the content: it need not
     * send it any more, and what follows could be either. An {@link HttpKeepAliveHandler} decides in place of this.
     *
     * @return false if the channel is to be closed behind the answer
     */
    final boolean decidePersistence(HttpRequest request, HttpResponse response) {
        if (ctx.getPipeline().get(HttpKeepAliveHandler.class) != null) {
            return true;
        }
        HttpServerExchanges read = HttpServerExchanges.of(ctx.getPipeline());
        boolean keepAlive = read == null ? HttpHeaders.isKeepAlive(request) : read.isNextKeptAlive();
        boolean version10 =
                read == null ? !request.getProtocolVersion().isKeepAliveDefault() : read.isNextOfVersion10();
        if (!keepAlive || HttpHeaders.is100ContinueExpected(request) || read != null && isContinueOwed(read)) {
            response.headers().set(HttpHeaders.Names.CONNECTION, (Object) HttpHeaders.Values.CLOSE);
            return false;
        }
        if (version10) {
            response.headers().set(HttpHeaders.Names.CONNECTION, (Object) HttpHeaders.Values.KEEP_ALIVE);
        }
        return true;
    }

    /** Where the request is the last that came, and a part of its content has not come. */
    private static boolean isContinueOwed(HttpServerExchanges read) {
        return read.isReceivingContent()
                && read.unansweredRequests() == 1
                && read.lastExpectation() == HttpExpectation.CONTINUE;
    }

    /** Sends an answer that is one message. What follows in order need not wait for it to leave. */
    final void sendWhole(HttpResponse response, boolean keepAlive) {
        ChannelFuture sent = Channels.future(channel());
        if (!keepAlive) {
            sent.addListener(ChannelFutureListener.CLOSE);
        }
        Channels.write(ctx, sent, response);
        if (keepAlive) {
            onAnswered();
        }
    }

    /** Goes on with what waits behind the answer. */
    final void onAnswered() {
        answering = false;
        goOn();
    }

    /** Any thread: whoever ends what others wait for looks whether they do. */
    final void goOn() {
        if (!waiting.isEmpty()) {
            ctx.getPipeline().execute(draining::request);
        }
    }

    @Override
    final void onWrite(ChannelHandlerContext ctx, MessageEvent write, T value, boolean last) throws Exception {
        decorate(write, value);
        ctx.sendDownstream(write);
        if (last) {
            goOn();
        }
    }

    /** Changes what another handler writes. */
    abstract void decorate(MessageEvent write, T value);

    final Channel channel() {
        return ctx.getChannel();
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
        removed = false;
    }

    /** What waits goes on to the handlers behind this one. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        removed = true;
        draining.request();
    }
}
