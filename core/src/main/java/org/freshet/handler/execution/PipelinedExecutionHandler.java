package org.freshet.handler.execution;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.freshet.util.ObjectSizeEstimator;
import org.freshet.util.Timer;

/**
 * Runs the requests of one connection in parallel and sends their answers in the order of the requests, as HTTP/1.1 wants it of
 * a server that is sent several requests at once. One slow request delays those behind it but does not keep them from running.
 *
 * <pre>
 *   received   1 2 3 4
 *                         executor   1 ------------&gt;|
 *                                    2 ----&gt;| . . . .|
 *                                    3 --------&gt;| . .|
 *                                    4 ---------------------&gt;|
 *   sent                                             1 2 3    4
 * </pre>
 *
 * <pre>{@code
 * PipelinedExecutionHandler pipelined = new PipelinedExecutionHandler(executor, timer); // one for all channels
 *
 * pipeline.addLast("decoder", new MyRequestDecoder());
 * pipeline.addLast("encoder", new MyResponseEncoder());
 * pipeline.addLast("pipelined", pipelined);
 * pipeline.addLast("business", new SimpleChannelUpstreamHandler() {
 *     public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) { // in parallel with itself
 *         e.getChannel().write(lookUp(e.getMessage()));                        // the answer to this very request
 *     }
 * });
 * }</pre>
 *
 * <h2>Which answer belongs to which request</h2>
 *
 * Each message that comes to this handler is one request; it, and nothing but it, is run by the executor. What a thread writes
 * to the channel while it handles a request belongs to that request's answer, and the answer is complete when the handlers
 * have returned: nothing, one message or several, which are sent together. {@link PipelinedAnswer} is for handlers that answer
 * later or from other threads.
 *
 * <p>So is a {@code close()}: it is carried out when the answers before, and what was written before to the same answer, have
 * gone down. Closing from elsewhere takes effect at once. What is written from elsewhere is sent at once too, though not in
 * the middle of an answer.
 *
 * <p>Handlers above must be fit for being called by several threads at once. Events other than messages pass by on the
 * thread that brings them, usually the I/O thread.
 *
 * <h2>Failures</h2>
 *
 * A request fails when a handler throws while handling it, when its answer is not complete within the time limit (which runs
 * from when it was received), when it is {@linkplain PipelinedAnswer#fail failed}, or when the executor refuses it. Then, in
 * this order:
 *
 * <ol>
 *   <li>an exception event goes up, unless the pipeline has sent one; what the handlers write, or close, while they handle it
 *       is the answer;
 *   <li>if they do neither, and nothing of the answer was sent before, {@link #answerToFailure} says what to send instead;
 *   <li>if that is nothing, the channel is closed once the answers before have gone down: without an answer of its own, this
 *       request would be taken to have been answered by the next.
 * </ol>
 *
 * What the late one writes after all fails. Nothing behind it waits any longer. An answer of which a part could not be sent, for
 * a handler below failed to encode it, closes the channel too. When the channel closes, all writes that had not
 * had their turn fail with {@link java.nio.channels.ClosedChannelException}; requests that were received before still run.
 *
 * <h2>Limits</h2>
 *
 * Of each connection no more than {@code maxInFlight} requests are with the executor or waiting for their answers to be sent;
 * one whose time is over counts until its handlers return. The connection is not read while there are so many, until there are
 * less than three quarters; nor while its requests, and the answers that wait for their turn, take {@code maxMemorySize} or
 * more, until half of it; nor while it is not writable. Nor are further requests started then. A single answer is not limited
 * here: who sends a long one in parts waits for each part's future before the next (on a thread of the executor that is
 * allowed), or writes something like a {@code ChunkedInput}.
 *
 * <p>An executor that {@linkplain MemoryAwareThreadPoolExecutor limits memory} can do so for all connections. One that keeps an
 * order would defeat the purpose.
 *
 * <p>The context's attachment is not free for other use.
 */
public class PipelinedExecutionHandler extends ExecutionHandler implements LifeCycleAwareChannelHandler {
    /** Requests of one connection. */
    public static final int DEFAULT_MAX_IN_FLIGHT = 128;

    /** Bytes for one connection. */
    public static final long DEFAULT_MAX_MEMORY_SIZE = 1024 * 1024;

    public static final long DEFAULT_ANSWER_TIMEOUT_SECONDS = 60;

    private final Timer timer;
    private final int maxInFlight;
    private final long maxMemorySize;
    private final long timeoutNanos;
    private final ObjectSizeEstimator estimator = new DefaultObjectSizeEstimator();

    /** As the other constructor, with the defaults. */
    public PipelinedExecutionHandler(Executor executor, Timer timer) {
        this(
                executor,
                timer,
                DEFAULT_MAX_IN_FLIGHT,
                DEFAULT_MAX_MEMORY_SIZE,
                DEFAULT_ANSWER_TIMEOUT_SECONDS,
                TimeUnit.SECONDS);
    }

    /**
     * Makes a handler for any number of channels.
     *
     * @param executor runs the requests, each as a task of its own
     * @param timer for the time limits; is not stopped by {@link #releaseExternalResources()}
     * @param maxInFlight how many requests of a connection may be in the works; 1 or more
     * @param maxMemorySize bytes, for one connection, of requests in the works and answers that wait for their turn; 1 or more
     * @param answerTimeout within which a request is answered; more than 0
     */
    public PipelinedExecutionHandler(
            Executor executor, Timer timer, int maxInFlight, long maxMemorySize, long answerTimeout, TimeUnit unit) {
        super(executor);
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight < 1: " + maxInFlight);
        }
        if (maxMemorySize < 1) {
            throw new IllegalArgumentException("maxMemorySize < 1: " + maxMemorySize);
        }
        if (answerTimeout <= 0) {
            throw new IllegalArgumentException("answerTimeout <= 0: " + answerTimeout);
        }
        this.timer = Objects.requireNonNull(timer, "timer");
        this.maxInFlight = maxInFlight;
        this.maxMemorySize = maxMemorySize;
        this.timeoutNanos = unit.toNanos(answerTimeout);
    }

    /** How many requests of a connection may be in the works. */
    public int getMaxInFlight() {
        return maxInFlight;
    }

    /** In bytes, for one connection. */
    public long getMaxMemorySize() {
        return maxMemorySize;
    }

    public long getAnswerTimeoutMillis() {
        return TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
    }

    /**
     * What to send in place of an answer that failed; null, the default, closes the channel. The message passes the same
     * handlers as one that is written to the channel. Called on the channel's I/O thread.
     *
     * @param cause what was thrown, or an {@link AnswerTimeoutException}
     */
    protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
        return null;
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent request) {
            line(ctx).receive(request);
        } else if (e instanceof ExceptionEvent exception && hasLine(ctx)) {
            line(ctx).passOn(exception);
        } else {
            if (ReadSuspension.isReadRequest(e) && hasLine(ctx)) {
                line(ctx).onInterestChanged();
            }
            ctx.sendUpstream(e);
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (handleReadSuspend(ctx, e)) {
            return;
        }
        if (hasLine(ctx) && (e instanceof MessageEvent || isEnding(e))) {
            line(ctx).send(e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {}

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {}

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {}

    /** Requests that it has taken are run and answered all the same, and the channel is read. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (hasLine(ctx)) {
            line(ctx).onRemoved();
        }
    }

    /** Whether the event asks to close, disconnect or unbind. */
    private static boolean isEnding(ChannelEvent e) {
        return e instanceof ChannelStateEvent request
                && (request.getState() == ChannelState.OPEN || request.getValue() == null);
    }

    @Override
    ReadSuspension readSuspension(ChannelHandlerContext ctx) {
        return line(ctx).gate();
    }

    private AnswerLine line(ChannelHandlerContext ctx) {
        return attached(ctx, AnswerLine.class, place -> new AnswerLine(this, place));
    }

    private static boolean hasLine(ChannelHandlerContext ctx) {
        return ctx.getAttachment() instanceof AnswerLine;
    }

    Timer timer() {
        return timer;
    }

    long timeoutNanos() {
        return timeoutNanos;
    }

    int bytesOf(ChannelEvent e) {
        return Math.max(0, estimator.estimateSize(e));
    }
}
