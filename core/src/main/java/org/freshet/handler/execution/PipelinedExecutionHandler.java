package org.freshet.handler.execution;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.time.Durations;
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
 * <p>A {@code close()} belongs to the answer, too: it is carried out after the answers before and after earlier writes to the same
 * answer. A close by other code takes effect at once. Writes by other code are sent at once, too, though not in the middle of an
 * answer.
 *
 * <p>Handlers above must allow calls by several threads at once. Events other than messages pass on the thread that sends them,
 * usually the I/O thread.
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
 * Writes to an answer after its time-out fail, and later answers do not wait for it any longer. If a part of an answer cannot be
 * sent, because a handler below failed to encode it, the channel is closed, too. When the channel closes, all waiting writes fail
 * with {@link java.nio.channels.ClosedChannelException}; requests that were received before still run.
 *
 * <h2>Limits</h2>
 *
 * Of each connection no more than {@code maxInFlight} requests are with the executor or waiting for their answers to be sent;
 * one whose time is over counts until its handlers return. At that number the connection is not read until three quarters are
 * left; nor is it read from when its requests and waiting answers take {@code maxMemorySize} until they take half of it; nor
 * while it is not writable. No requests are started meanwhile. A single answer is not limited here: a handler that sends a long
 * one in parts waits for each part's future before the next (allowed on threads of the executor), or writes a {@code
 * ChunkedInput}.
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

    public static final Duration DEFAULT_ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final Timer timer;
    /** The getters may be overridden; the code that holds a lock uses the fields. */
    final int maxInFlight;

    final long maxMemorySize;

    private final long timeoutNanos;
    private final ObjectSizeEstimator estimator = new DefaultObjectSizeEstimator();

    /** As the other constructor, with the defaults. */
    public PipelinedExecutionHandler(Executor executor, Timer timer) {
        this(executor, timer, DEFAULT_MAX_IN_FLIGHT, DEFAULT_MAX_MEMORY_SIZE, DEFAULT_ANSWER_TIMEOUT);
    }

    /**
     * Makes a handler for any number of channels.
     *
     * @param executor runs the requests, each as a task of its own
     * @param timer for the time limits; is not stopped by {@link #releaseExternalResources()}
     * @param maxInFlight how many requests of a connection may be unanswered; 1 or more
     * @param maxMemorySize bytes, for one connection, of unanswered requests and waiting answers; 1 or more
     * @param answerTimeout within which a request is answered; more than 0
     */
    public PipelinedExecutionHandler(
            Executor executor, Timer timer, int maxInFlight, long maxMemorySize, Duration answerTimeout) {
        super(executor);
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight < 1: " + maxInFlight);
        }
        if (maxMemorySize < 1) {
            throw new IllegalArgumentException("maxMemorySize < 1: " + maxMemorySize);
        }
        this.timer = Objects.requireNonNull(timer, "timer");
        this.maxInFlight = maxInFlight;
        this.maxMemorySize = maxMemorySize;
        this.timeoutNanos = Durations.positive("answerTimeout", answerTimeout).toNanos();
    }

    /** How many requests of a connection may be unanswered. */
    public int getMaxInFlight() {
        return maxInFlight;
    }

    /** In bytes, for one connection. */
    public long getMaxMemorySize() {
        return maxMemorySize;
    }

    public Duration getAnswerTimeout() {
        return Duration.ofNanos(timeoutNanos);
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
            answers(ctx).receive(request);
        } else if (e instanceof ExceptionEvent exception && hasAnswers(ctx)) {
            answers(ctx).passOn(exception);
        } else {
            if (ReadSuspension.isReadRequest(e) && hasAnswers(ctx)) {
                answers(ctx).onInterestChanged();
            }
            if (e instanceof DrainEvent drain) {
                answers(ctx).onDrain(drain);
            }
            ctx.sendUpstream(e);
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (handleReadSuspend(ctx, e)) {
            return;
        }
        if (hasAnswers(ctx) && (e instanceof MessageEvent || isEnding(e))) {
            answers(ctx).send(e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    /** Requests that it has taken are run and answered all the same, and the channel is read. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (hasAnswers(ctx)) {
            answers(ctx).onHandlerRemoved();
        }
    }

    /** Whether the event asks to close, disconnect or unbind. */
    private static boolean isEnding(ChannelEvent e) {
        return e instanceof ChannelStateEvent request
                && (request.getState() == ChannelState.OPEN || request.getValue() == null);
    }

    @Override
    ReadSuspension readSuspension(ChannelHandlerContext ctx) {
        return answers(ctx).readSuspension();
    }

    private OrderedAnswers answers(ChannelHandlerContext ctx) {
        return attached(ctx, OrderedAnswers.class, place -> new OrderedAnswers(this, place));
    }

    private static boolean hasAnswers(ChannelHandlerContext ctx) {
        return ctx.getAttachment() instanceof OrderedAnswers;
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
