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
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.time.Durations;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.freshet.util.ObjectSizeEstimator;
import org.freshet.util.Timer;

/**
 * Runs the requests of one connection in parallel and sends their answers in the order of the requests, as HTTP/1.1
 * pipelining requires. A slow request delays the answers after it but does not keep those requests from running.
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
 *         e.getChannel().write(lookUp(e.getMessage()));                        // the answer to this request
 *     }
 * });
 * }</pre>
 *
 * <h2>Which answer belongs to which request</h2>
 *
 * Each message that reaches this handler is one request; the executor runs requests and nothing else. Whatever a thread
 * writes to the channel while it handles a request belongs to that request's answer. The answer is complete when the
 * handlers have returned: nothing, one message, or several sent together. {@link PipelinedAnswer} is for handlers that
 * answer later or from other threads.
 *
 * <p>A {@code close()} is part of the answer too: it takes effect after all earlier answers and after earlier writes to
 * the same answer. A close by other code takes effect immediately. Writes by other code are also sent immediately,
 * though never in the middle of an answer.
 *
 * <p>Handlers above must allow concurrent calls. Events other than messages pass on the thread that sends them, usually
 * the I/O thread.
 *
 * <h2>Failures</h2>
 *
 * A request fails when a handler throws while handling it, when its answer is not complete within the time limit
 * (measured from its arrival), when it is {@linkplain PipelinedAnswer#fail failed}, or when the executor refuses it.
 * Then, in this order:
 *
 * <ol>
 *   <li>an exception event goes up, unless the pipeline has already sent one; whatever the handlers write, or close,
 *       while they handle it is the answer;
 *   <li>if they do neither, and nothing of the answer has been sent, {@link #answerToFailure} provides a substitute;
 *   <li>if it provides none, the channel is closed once all earlier answers have been sent: without an answer, the
 *       peer would take the next answer for this one's.
 * </ol>
 *
 * Writes to an answer after its time-out fail, and later answers no longer wait for it. If a part of an answer cannot
 * be sent, because a handler below failed to encode it, the channel is closed too. When the channel closes, all waiting
 * writes fail with {@link java.nio.channels.ClosedChannelException}; requests received before still run.
 *
 * <h2>Limits</h2>
 *
 * At most {@code maxInFlight} requests per connection are with the executor or waiting for their answers to be sent. A
 * timed-out request counts until its handlers return. At that number the connection is not read until three quarters
 * are left. Reading also stops when the requests and waiting answers take {@code maxMemorySize}, until they are down to
 * half of it, and while the connection is not writable. No requests are started in the meantime. The size of a single
 * answer is not limited here: to send a long one in parts, a handler waits for each part's future before the next
 * (allowed on threads of the executor), or writes a {@code ChunkedInput}.
 *
 * <p>An executor that {@linkplain MemoryAwareThreadPoolExecutor limits memory} adds a limit over all connections. One
 * that keeps an order would defeat the purpose.
 *
 * <p>The context's attachment is reserved for this handler.
 */
@ActsOn(EventKind.INTEREST_CHANGED)
public class PipelinedExecutionHandler extends ExecutionHandler implements LifeCycleAwareChannelHandler {
    /** Default of {@code maxInFlight}, per connection. */
    public static final int DEFAULT_MAX_IN_FLIGHT = 128;

    /** Default of {@code maxMemorySize}, in bytes per connection. */
    public static final long DEFAULT_MAX_MEMORY_SIZE = 1024 * 1024;

    public static final Duration DEFAULT_ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final Timer timer;
    /** The getters may be overridden, so code that holds a lock uses the fields. */
    final int maxInFlight;

    final long maxMemorySize;

    private final long timeoutNanos;
    private final ObjectSizeEstimator estimator = new DefaultObjectSizeEstimator();

    /** Creates a handler with the default limits. */
    public PipelinedExecutionHandler(Executor executor, Timer timer) {
        this(executor, timer, DEFAULT_MAX_IN_FLIGHT, DEFAULT_MAX_MEMORY_SIZE, DEFAULT_ANSWER_TIMEOUT);
    }

    /**
     * Creates a handler for any number of channels.
     *
     * @param executor runs the requests, each as a separate task
     * @param timer for the time limits; not stopped by {@link #releaseExternalResources()}
     * @param maxInFlight how many requests of a connection may be unanswered; 1 or more
     * @param maxMemorySize bytes of unanswered requests and waiting answers per connection; 1 or more
     * @param answerTimeout how long a request may take to be answered; more than 0
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

    /** Returns how many requests of a connection may be unanswered. */
    public int getMaxInFlight() {
        return maxInFlight;
    }

    /** Returns the limit in bytes per connection. */
    public long getMaxMemorySize() {
        return maxMemorySize;
    }

    public Duration getAnswerTimeout() {
        return Duration.ofNanos(timeoutNanos);
    }

    /**
     * Returns a substitute for a failed answer, or null (the default) to close the channel. The message passes the same
     * handlers as one written to the channel. Called on the channel's I/O thread.
     *
     * @param cause the exception thrown, or an {@link AnswerTimeoutException}
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

    /** Requests already taken are still run and answered, and the channel is read. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (hasAnswers(ctx)) {
            answers(ctx).onHandlerRemoved();
        }
    }

    /** Returns whether the event asks to close, disconnect or unbind. */
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
