package org.freshet.handler.execution;

import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.HandlerFailureHook;

/**
 * The answer to one request that came through a {@link PipelinedExecutionHandler}. A handler needs it only to answer later
 * than it returns:
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
 * <p>An answer ends once: when the handler returns, or, deferred, by {@link #end()} or {@link #fail}; or else when its time is
 * over. What is written to it afterwards fails with what ended it. Any thread may call any method but {@link #current()},
 * and none waits.
 */
public final class PipelinedAnswer {
    private static final ThreadLocal<PipelinedAnswer> CURRENT = new ThreadLocal<>();

    private final PendingAnswer pending;

    PipelinedAnswer(PendingAnswer pending) {
        this.pending = pending;
    }

    /**
     * The answer to the request that the calling thread is handling. Everything that this thread writes to the channel
     * belongs to it.
     *
     * @throws IllegalStateException if the thread is handling none
     */
    public static PipelinedAnswer current() {
        PipelinedAnswer answer = CURRENT.get();
        if (answer == null) {
            throw new IllegalStateException("this thread is not handling a request of a PipelinedExecutionHandler");
        }
        return answer;
    }

    /** Null if the thread is handling no request. */
    static PipelinedAnswer currentOrNull() {
        return CURRENT.get();
    }

    public Channel getChannel() {
        return pending.answers().channel();
    }

    /** The request, as it came to the {@link PipelinedExecutionHandler}. */
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
     * Writes a part of the answer, as {@link Channel#write} does for the thread that handles the request. All parts are sent
     * together, in the order of these calls, when all requests before have been answered.
     */
    public ChannelFuture write(Object message) {
        Channel channel = getChannel();
        ChannelFuture future = Channels.future(channel);
        MessageEvent part = new DownstreamMessageEvent(channel, future, message, null);
        run(() -> channel.getPipeline().sendDownstream(part));
        return future;
    }

    /**
     * Runs a task on the calling thread as if the request was handled by it: what it writes to the channel belongs to this
     * answer, and {@link #current()} returns it.
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

    /** Makes an answer the calling thread's current one, null for none, and returns the one before, or null. */
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

    /** The answer is complete; also if nothing was written, for requests that want none. Does nothing once it has ended. */
    public void end() {
        pending.answers().end(this);
    }

    /**
     * There will be no answer. {@link PipelinedExecutionHandler} says what happens to the connection; it is the same as
     * if the handler had thrown {@code cause}. Does nothing once the answer has ended.
     */
    public void fail(Throwable cause) {
        pending.answers().fail(this, Objects.requireNonNull(cause, "cause"));
    }

    /** Whether nothing can be written to this answer any more. */
    public boolean isEnded() {
        return pending.answers().hasEnded(this);
    }

    /** Called by the pipeline when a handler throws while this thread handles the request. */
    private void onThrown(Object channel, Throwable thrown) {
        if (channel == getChannel()) {
            pending.answers().onThrown(this, thrown);
        }
    }

    PendingAnswer pending() {
        return pending;
    }
}
