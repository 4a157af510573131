package org.freshet.handler.execution;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelScopes;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.ReadSuspension;

/**
 * Lets you write a protocol as sequential code, as with blocking sockets. Each connection has its own thread: a virtual
 * thread where the JVM has them (Java 21 and later), otherwise a platform thread. Handlers below still decode and
 * encode on the I/O thread.
 *
 * <pre>{@code
 * ConversationHandler greeter = new ConversationHandler(connection -> { // one for all connections
 *     connection.write("Who are you?\n");
 *     Object name = connection.read();
 *     if (name == null) {
 *         return; // the peer has gone
 *     }
 *     connection.write("Hello " + name + "\n"); // the connection is closed after this
 * });
 *
 * pipeline.addLast("lines", new MyDecoder());
 * pipeline.addLast("greeter", greeter);
 * }</pre>
 *
 * <p>An NIO loop wakes the conversations it has messages for together, when it has handled the channels that were ready.
 * A handler that blocks the loop also delays them.
 *
 * <p>Neither side can fill the memory. Reading is suspended while {@value BlockingConnection#MAX_MESSAGES} messages or
 * {@value BlockingConnection#MAX_BYTES} bytes wait to be read, plus whatever one read of the transport has added. {@link BlockingConnection#write}
 * waits while the channel is not writable.
 *
 * <p>Messages and exceptions end here; all other events go up. A {@link DrainEvent} ends the input after the messages
 * already received, and holds the channel until the conversation has ended. The context's attachment is reserved for
 * this handler. If you remove the handler, a running conversation continues: it reads what has been received, then the
 * end, and may still write.
 */
@Sharable
@ActsOn({EventKind.CONNECTED, EventKind.INTEREST_CHANGED, EventKind.DISCONNECTED, EventKind.UNBOUND, EventKind.CLOSED})
public class ConversationHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    private final Conversation conversation;
    private final Executor threads;

    /** Starts a daemon thread for each connection: a virtual thread from Java 21 on, otherwise a platform thread. */
    public ConversationHandler(Conversation conversation) {
        this(conversation, ConversationThreads.cheapest());
    }

    /**
     * Uses the executor's threads.
     *
     * @param conversation one object for all connections
     * @param threads needs a thread for each concurrent connection; a connection without one waits until another ends.
     *     A cached pool or a virtual thread per task will do. It is not shut down, and must not run tasks on the
     *     submitting thread.
     */
    public ConversationHandler(Conversation conversation, Executor threads) {
        this.conversation = Objects.requireNonNull(conversation, "conversation");
        this.threads = Objects.requireNonNull(threads, "threads");
    }

    // ---- events ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent message) {
            connection(ctx).onMessage(message.getMessage());
            return;
        }
        if (e instanceof ExceptionEvent failure) {
            connection(ctx).onFailure(failure);
            return;
        }
        if (e instanceof ChannelStateEvent change) {
            onChange(ctx, change);
        } else if (e instanceof InputShutdownEvent) {
            connection(ctx).onInputEnds();
        } else if (e instanceof DrainEvent drain) {
            connection(ctx).onDrain(drain);
        }
        ctx.sendUpstream(e);
    }

    private void onChange(ChannelHandlerContext ctx, ChannelStateEvent e) {
        boolean isEnd = e.getValue() == null || Boolean.FALSE.equals(e.getValue());
        if (e.getState() == ChannelState.CONNECTED && !isEnd) {
            start(ctx);
        } else if (e.getState() == ChannelState.INTEREST_OPS) {
            connection(ctx).onWritability();
        } else if (isEnd) {
            connection(ctx).onInputEnds();
        }
    }

    /** Requests to start or stop reading must be combined with the conversation's own suspension. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (ReadSuspension.isReadRequest(e)) {
            connection(ctx).reading().request((ChannelStateEvent) e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    // ---- the conversation ----

    private static BlockingConnection connection(ChannelHandlerContext ctx) {
        return ExecutionHandler.attached(ctx, BlockingConnection.class, BlockingConnection::new);
    }

    private void start(ChannelHandlerContext ctx) {
        BlockingConnection connection = connection(ctx);
        if (!connection.begin()) {
            return;
        }
        Thread starter = Thread.currentThread();
        try {
            threads.execute(() -> {
                if (Thread.currentThread() == starter) {
                    throw new RejectedExecutionException(
                            "the executor runs tasks in the calling thread, but a conversation needs its own thread");
                }
                ChannelScopes.run(ctx.getChannel(), () -> connection.run(conversation));
            });
        } catch (Throwable refused) {
            connection.onRefused();
            Channels.fireExceptionCaughtLater(ctx, refused);
            ctx.getChannel().close(CloseReason.of(CloseReason.Kind.REFUSED, "no thread for the conversation", refused));
        }
    }

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
        if (ctx.getPipeline().isAttached()) {
            connection(ctx).onRemoved();
        }
    }
}
