package org.freshet.handler.execution;

import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.HandlerFailureHook;

/**
 * The answer to one request received through a {@link PipelinedExecutionHandler}. A handler needs it only to answer
 * after it has returned:
 *
 * <pre>{@code
 * public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
 *     PipelinedAnswer answer = PipelinedAnswer.current().defer();
 *     service.lookUp(e.getMessage()).whenComplete((found, failure) -> {
 *         if (failure != null) {
 *             answer.fail(failure);
 *         } else {
 *             answer.write(found);
 *             answer.end();
 *         }
 *     });
 * }
 * }</pre>
 *
 * <p>An answer ends once: when the handler returns or, if deferred, with {@link #end()}, {@link #fail} or its time-out.
 * Later writes to it fail with the reason it ended. Any thread may call any method but {@link #current()}, and none
 * blocks.
 */
public final class PipelinedAnswer {
    private static final ThreadLocal<PipelinedAnswer> CURRENT = new ThreadLocal<>();

    private final PendingAnswer pending;

    PipelinedAnswer(PendingAnswer pending) {
        this.pending = pending;
    }

    /**
     * Returns the answer to the request that the calling thread is handling. Everything this thread writes to the
     * channel belongs to it.
     *
     * @throws IllegalStateException if the thread is not handling a request
     */
    public static PipelinedAnswer current() {
        PipelinedAnswer answer = CURRENT.get();
        if (answer == null) {
            throw new IllegalStateException("this thread is not handling a request of a PipelinedExecutionHandler");
        }
        return answer;
    }

    /** Returns null if the thread is not handling a request. */
    static PipelinedAnswer currentOrNull() {
        return CURRENT.get();
    }

    public Channel getChannel() {
        return pending.answers().channel();
    }

    /** Returns the request as received by the {@link PipelinedExecutionHandler}. */
    public MessageEvent getRequest() {
        return pending.request();
    }

    /**
     * Keeps the answer from ending when the handler returns.
     *
     * @return this
     * @throws IllegalStateException if the answer has ended
     */
    public PipelinedAnswer defer() {
        pending.answers().defer(this);
        return this;
    }

    /**
     * Writes a part of the answer, like {@link Channel#write} on the thread that handles the request. All parts are
     * sent together, in the order of these calls, once all earlier requests have been answered.
     */
    public ChannelFuture write(Object message) {
        Channel channel = getChannel();
        ChannelFuture future = Channels.future(channel);
        MessageEvent part = new DownstreamMessageEvent(channel, future, message, null);
        run(() -> channel.getPipeline().sendDownstream(part));
        return future;
    }

    /**
     * Runs a task on the calling thread as if that thread were handling the request: its writes to the channel belong
     * to this answer, and {@link #current()} returns it.
     */
    public void run(Runnable task) {
        Objects.requireNonNull(task, "task");
        PipelinedAnswer outer = bind(this);
        try {
            task.run();
        } finally {
            bind(outer);
        }
    }

    /** Makes an answer (or null) the calling thread's current one, and returns the previous one, or null. */
    static PipelinedAnswer bind(PipelinedAnswer answer) {
        PipelinedAnswer before = CURRENT.get();
        if (answer == null) {
            CURRENT.remove();
            HandlerFailureHook.set(null);
        } else {
            CURRENT.set(answer);
            HandlerFailureHook.set(answer::onThrown);
        }
        return before;
    }

    /**
     * Completes the answer, even if nothing was written, for requests that need no answer. Does nothing once it has
     * ended.
     */
    public void end() {
        pending.answers().end(this);
    }

    /**
     * Fails the answer, as if the handler had thrown {@code cause}. See {@link PipelinedExecutionHandler} for what
     * happens to the connection. Does nothing once the answer has ended.
     */
    public void fail(Throwable cause) {
        pending.answers().fail(this, Objects.requireNonNull(cause, "cause"));
    }

    /** Returns whether the answer has ended and accepts no more writes. */
    public boolean isEnded() {
        return pending.answers().hasEnded(this);
    }

    /** Called by the pipeline when a handler throws while this thread is handling the request. */
    private void onThrown(Object channel, Throwable thrown) {
        if (channel == getChannel()) {
            pending.answers().onThrown(this, thrown);
        }
    }

    PendingAnswer pending() {
        return pending;
    }
}
