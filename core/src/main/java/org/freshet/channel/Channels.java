package org.freshet.channel;

import java.net.SocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.freshet.internal.EventKind;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.SelectivePipeline;
import org.freshet.internal.lending.Borrowable;
import org.freshet.internal.lending.Lending;

/**
 * Factory methods for pipelines and futures, and methods that send the standard events.
 *
 * <p>The name gives the direction. {@code fireX} sends an event up, on the calling thread. {@code fireXLater} does so on the channel's I/O
 * thread and returns a future that completes when the handlers have run. All others send a request down, on the calling thread. Methods
 * that take a {@link Channel} start at the end of its pipeline; those that take a {@link ChannelHandlerContext} start after that handler,
 * for handlers that send their own events.
 */
public final class Channels {
    /** Handler names by position, shared by the pipelines of all connections. */
    private static final String[] POSITIONS =
            IntStream.range(0, 16).mapToObj(Integer::toString).toArray(String[]::new);

    private Channels() {}

    // ---- pipelines ----

    /** Creates an empty pipeline. */
    public static ChannelPipeline pipeline() {
        return new DefaultChannelPipeline();
    }

    /**
     * Creates a pipeline of the given handlers, named "0", "1" and so on.
     *
     * @param handlers from the transport's end to the application's; trailing nulls after the last handler are ignored
     * @throws NullPointerException if the first handler is null, or a null precedes a handler
     */
    public static ChannelPipeline pipeline(ChannelHandler... handlers) {
        int count = Objects.requireNonNull(handlers, "handlers").length;
        while (count > 1 && handlers[count - 1] == null) {
            count--;
        }
        ChannelPipeline pipeline = pipeline();
        for (int i = 0; i < count; i++) {
            if (handlers[i] == null) {
                throw new NullPointerException("handlers[" + i + "]");
            }
            pipeline.addLast(i < POSITIONS.length ? POSITIONS[i] : Integer.toString(i), handlers[i]);
        }
        return pipeline;
    }

    /** Creates an unattached pipeline with the same names and the same handler instances. */
    public static ChannelPipeline pipeline(ChannelPipeline template) {
        Objects.requireNonNull(template, "template");
        ChannelPipeline copy = pipeline();
        for (Map.Entry<String, ChannelHandler> entry : template.toMap().entrySet()) {
            copy.addLast(entry.getKey(), entry.getValue());
        }
        return copy;
    }

    /** Returns a factory that {@linkplain #pipeline(ChannelPipeline) copies} the handlers in {@code template} at the time of each call. */
    public static ChannelPipelineFactory pipelineFactory(ChannelPipeline template) {
        Objects.requireNonNull(template, "template");
        return () -> pipeline(template);
    }

    // ---- futures ----

    /** Creates a future that cannot be cancelled. */
    public static ChannelFuture future(Channel channel) {
        return future(channel, false);
    }

    public static ChannelFuture future(Channel channel, boolean cancellable) {
        return new DefaultChannelFuture(channel, cancellable);
    }

    /** Returns a future that has already succeeded. */
    public static ChannelFuture succeededFuture(Channel channel) {
        return channel instanceof AbstractChannel own ? own.getSucceededFuture() : new SucceededChannelFuture(channel);
    }

    /** Returns a future that has already failed. */
    public static ChannelFuture failedFuture(Channel channel, Throwable cause) {
        return new FailedChannelFuture(channel, cause);
    }

    // ---- open and close ----

    /**
     * Also notifies the parent, if there is one, on the parent's I/O thread. If its handlers would only pass the event on, that is left
     * out.
     */
    public static void fireChannelOpen(Channel channel) {
        fireChildStateChanged(channel, EventKind.CHILD_OPEN);
        up(channel, EventKind.OPEN, ChannelState.OPEN, Boolean.TRUE);
    }

    public static void fireChannelOpen(ChannelHandlerContext ctx) {
        up(ctx, ChannelState.OPEN, Boolean.TRUE);
    }

    public static ChannelFuture fireChannelClosedLater(Channel channel) {
        return later(channel, () -> fireChannelClosed(channel));
    }

    /**
     * Also notifies the parent, if there is one, on the parent's I/O thread. If its handlers would only pass the event on, that is left
     * out.
     */
    public static void fireChannelClosed(Channel channel) {
        up(channel, EventKind.CLOSED, ChannelState.OPEN, Boolean.FALSE);
        fireChildStateChanged(channel, EventKind.CHILD_CLOSED);
    }

    public static void fireChannelClosed(ChannelHandlerContext ctx) {
        up(ctx, ChannelState.OPEN, Boolean.FALSE);
    }

    /** Closes the channel and returns its {@linkplain Channel#getCloseFuture() close future}. */
    public static ChannelFuture close(Channel channel) {
        return down(channel, channel.getCloseFuture(), ChannelState.OPEN, Boolean.FALSE);
    }

    public static void close(ChannelHandlerContext ctx, ChannelFuture future) {
        down(ctx, future, ChannelState.OPEN, Boolean.FALSE);
    }

    /**
     * Closes the channel for the given reason; see {@link #close(ChannelHandlerContext, ChannelFuture)}. If the channel already has a
     * reason, it keeps that one. For handlers that close a channel on their own account.
     */
    public static void close(ChannelHandlerContext ctx, ChannelFuture future, CloseReason reason) {
        noteCloseReason(ctx.getChannel(), reason);
        close(ctx, future);
    }

    /**
     * Notes a reason for the close that is about to happen, unless the channel already has one. Call it before you report a failure to code
     * that may close the channel before you do.
     */
    public static void noteCloseReason(Channel channel, CloseReason reason) {
        if (channel instanceof AbstractChannel own) {
            own.noteCloseReason(reason);
        }
    }

    private static void fireChildStateChanged(Channel child, EventKind kind) {
        Channel parent = child.getParent();
        if (parent != null && mayBeSeen(parent, kind)) {
            ChannelEvent e = new DefaultChildChannelStateEvent(parent, child, kind == EventKind.CHILD_OPEN);
            if (parent instanceof IoThreadBound bound && bound.runsEvents()) {
                parent.getPipeline().sendUpstream(e);
            } else {
                handOver(e);
            }
        }
    }

    private static void handOver(ChannelEvent e) {
        later(e.getChannel(), () -> e.getChannel().getPipeline().sendUpstream(e));
    }

    // ---- bind and unbind ----

    public static ChannelFuture bind(Channel channel, SocketAddress localAddress) {
        Objects.requireNonNull(localAddress, "localAddress");
        return down(channel, ChannelState.BOUND, localAddress);
    }

    public static void bind(ChannelHandlerContext ctx, ChannelFuture future, SocketAddress localAddress) {
        Objects.requireNonNull(localAddress, "localAddress");
        down(ctx, future, ChannelState.BOUND, localAddress);
    }

    public static void fireChannelBound(Channel channel, SocketAddress localAddress) {
        up(channel, EventKind.BOUND, ChannelState.BOUND, localAddress);
    }

    public static void fireChannelBound(ChannelHandlerContext ctx, SocketAddress localAddress) {
        up(ctx, ChannelState.BOUND, localAddress);
    }

    public static void unbind(ChannelHandlerContext ctx, ChannelFuture future) {
        down(ctx, future, ChannelState.BOUND, null);
    }

    public static ChannelFuture unbind(Channel channel) {
        return down(channel, ChannelState.BOUND, null);
    }

    public static ChannelFuture fireChannelUnboundLater(Channel channel) {
        return later(channel, () -> fireChannelUnbound(channel));
    }

    public static void fireChannelUnbound(Channel channel) {
        up(channel, EventKind.UNBOUND, ChannelState.BOUND, null);
    }

    public static void fireChannelUnbound(ChannelHandlerContext ctx) {
        up(ctx, ChannelState.BOUND, null);
    }

    // ---- connect and disconnect ----

    /** The future can be cancelled until the connection is established. */
    public static ChannelFuture connect(Channel channel, SocketAddress remoteAddress) {
        Objects.requireNonNull(remoteAddress, "remoteAddress");
        return down(channel, future(channel, true), ChannelState.CONNECTED, remoteAddress);
    }

    public static void connect(ChannelHandlerContext ctx, ChannelFuture future, SocketAddress remoteAddress) {
        Objects.requireNonNull(remoteAddress, "remoteAddress");
        down(ctx, future, ChannelState.CONNECTED, remoteAddress);
    }

    public static void fireChannelConnected(Channel channel, SocketAddress remoteAddress) {
        up(channel, EventKind.CONNECTED, ChannelState.CONNECTED, remoteAddress);
    }

    public static void fireChannelConnected(ChannelHandlerContext ctx, SocketAddress remoteAddress) {
        up(ctx, ChannelState.CONNECTED, remoteAddress);
    }

    public static ChannelFuture disconnect(Channel channel) {
        return down(channel, ChannelState.CONNECTED, null);
    }

    public static void disconnect(ChannelHandlerContext ctx, ChannelFuture future) {
        down(ctx, future, ChannelState.CONNECTED, null);
    }

    public static ChannelFuture fireChannelDisconnectedLater(Channel channel) {
        return later(channel, () -> fireChannelDisconnected(channel));
    }

    public static void fireChannelDisconnected(Channel channel) {
        up(channel, EventKind.DISCONNECTED, ChannelState.CONNECTED, null);
    }

    public static void fireChannelDisconnected(ChannelHandlerContext ctx) {
        up(ctx, ChannelState.CONNECTED, null);
    }

    // ---- messages ----

    public static void fireMessageReceived(Channel channel, Object message) {
        fireMessageReceived(channel, message, null);
    }

    /** Fires a received message; a null address means the channel's peer. */
    public static void fireMessageReceived(Channel channel, Object message, SocketAddress remoteAddress) {
        channel.getPipeline().sendUpstream(new UpstreamMessageEvent(channel, message, remoteAddress));
    }

    public static void fireMessageReceived(ChannelHandlerContext ctx, Object message) {
        fireMessageReceived(ctx, message, null);
    }

    /** Fires a received message; a null address means the channel's peer. */
    public static void fireMessageReceived(ChannelHandlerContext ctx, Object message, SocketAddress remoteAddress) {
        ctx.sendUpstream(new UpstreamMessageEvent(ctx.getChannel(), message, remoteAddress));
    }

    /**
     * Returns the message of an event, without a copy if the transport lends its memory. For handlers marked
     * {@link ChannelHandler.Borrower}. An echo:
     *
     * <pre>{@code
     * @ChannelHandler.Borrower
     * final class Echo extends SimpleChannelUpstreamHandler {
     *     @Override
     *     public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
     *         e.getChannel().write(Channels.borrow(e));
     *     }
     * }
     * }</pre>
     *
     * <p>Each message may or may not be lent. For a lent one:
     *
     * <ul>
     * <li>Only this thread may use it, and anything that shares its bytes (slices, duplicates, {@code array()}, {@code toByteBuffer()}),
     *     and only until {@code messageReceived} returns.
     * <li>You may write it to any channel, whole, in slices or within other buffers, and any number of times. The bytes are sent or copied
     *     before the loan ends. Do not change them after a write.
     * <li>To keep it, copy it ({@link org.freshet.buffer.ChannelBuffer#copy()}). Also pass a copy, in a new event, to other handlers. If
     *     you pass on {@code e} itself, {@code getMessage()} returns a copy during {@code messageReceived}, and throws as described below
     *     afterwards.
     * <li>After the loan, each access to a byte through a buffer throws {@link IllegalStateException} with the handler's name. Arrays and
     *     ByteBuffers cannot be guarded; {@code -Dorg.freshet.lending=check} finds handlers that keep them.
     * </ul>
     *
     * <p>On another thread, for an event that was not lent, and on transports that don't lend, this is {@code e.getMessage()}.
     *
     * @throws IllegalStateException if {@code e} was lent and the loan has ended
     */
    public static Object borrow(MessageEvent e) {
        return e instanceof Borrowable lent ? lent.borrow() : e.getMessage();
    }

    public static ChannelFuture write(Channel channel, Object message) {
        return write(channel, message, null);
    }

    public static void write(ChannelHandlerContext ctx, ChannelFuture future, Object message) {
        write(ctx, future, message, null);
    }

    /** Writes a message; a null address means the channel's peer. */
    public static ChannelFuture write(Channel channel, Object message, SocketAddress remoteAddress) {
        Object lasting = lasting(channel, message);
        ChannelFuture future = future(channel);
        channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, future, lasting, remoteAddress));
        return future;
    }

    /** Writes a message; a null address means the channel's peer. */
    public static void write(
            ChannelHandlerContext ctx, ChannelFuture future, Object message, SocketAddress remoteAddress) {
        Object lasting = lasting(ctx.getChannel(), message);
        ctx.sendDownstream(new DownstreamMessageEvent(ctx.getChannel(), future, lasting, remoteAddress));
    }

    /** Copies a lent message if there are handlers it would pass: they may queue it. */
    private static Object lasting(Channel channel, Object message) {
        return Lending.hasHappened() ? Lending.forWrite(channel, message) : message;
    }

    /**
     * Ends the output of a connection once everything written before has been sent. The peer then reads the end of the stream, while this
     * side keeps reading. Later writes fail with {@link OutputShutdownException}. The channel stays open until this side closes it or the
     * peer's output ends.
     *
     * <p>The request is a write of {@link OutputShutdown}, so it keeps its place among the writes. Over TLS, close_notify is sent first.
     * Shutting down an output a second time has no effect.
     *
     * @return completes when the output has ended; fails with {@link UnsupportedOperationException} if the channel is not a connection, and
     *     with {@link java.nio.channels.ClosedChannelException} if it is closed first
     */
    public static ChannelFuture shutdownOutput(Channel channel) {
        return write(channel, OutputShutdown.INSTANCE);
    }

    /** Ends the output like {@link #shutdownOutput(Channel)}, starting after a handler. */
    public static void shutdownOutput(ChannelHandlerContext ctx, ChannelFuture future) {
        write(ctx, future, OutputShutdown.INSTANCE);
    }

    public static ChannelFuture fireWriteCompleteLater(Channel channel, long amount) {
        return later(channel, () -> fireWriteComplete(channel, amount));
    }

    /** Fires an event that {@code amount} bytes were sent; no event if it is 0. */
    public static void fireWriteComplete(Channel channel, long amount) {
        if (amount != 0 && mayBeSeen(channel, EventKind.WRITTEN)) {
            channel.getPipeline().sendUpstream(new DefaultWriteCompletionEvent(channel, amount));
        }
    }

    /** Fires an event that {@code amount} bytes, 1 or more, were sent. */
    public static void fireWriteComplete(ChannelHandlerContext ctx, long amount) {
        ctx.sendUpstream(new DefaultWriteCompletionEvent(ctx.getChannel(), amount));
    }

    // ---- interest ----

    /**
     * Suspends or resumes reading.
     *
     * @param interestOps one of the {@code OP_} constants of {@link Channel}; {@link Channel#OP_WRITE} is controlled by the transport and
     *     ignored
     * @throws IllegalArgumentException if {@code interestOps} is not one of the constants
     */
    public static ChannelFuture setInterestOps(Channel channel, int interestOps) {
        return down(channel, ChannelState.INTEREST_OPS, readInterest(interestOps));
    }

    /** Suspends or resumes reading; see {@link #setInterestOps(Channel, int)} for {@code interestOps}. */
    public static void setInterestOps(ChannelHandlerContext ctx, ChannelFuture future, int interestOps) {
        down(ctx, future, ChannelState.INTEREST_OPS, readInterest(interestOps));
    }

    private static Integer readInterest(int interestOps) {
        return switch (interestOps) {
            case Channel.OP_NONE, Channel.OP_READ, Channel.OP_WRITE, Channel.OP_READ_WRITE ->
                interestOps & ~Channel.OP_WRITE;
            default ->
                throw new IllegalArgumentException(
                        "interestOps is not a combination of OP_READ and OP_WRITE: " + interestOps);
        };
    }

    public static ChannelFuture fireChannelInterestChangedLater(Channel channel) {
        return later(channel, () -> fireChannelInterestChanged(channel));
    }

    public static void fireChannelInterestChanged(Channel channel) {
        up(channel, EventKind.INTEREST_CHANGED, ChannelState.INTEREST_OPS, Channel.OP_READ);
    }

    public static void fireChannelInterestChanged(ChannelHandlerContext ctx) {
        up(ctx, ChannelState.INTEREST_OPS, Channel.OP_READ);
    }

    // ---- failures ----

    public static void fireExceptionCaught(Channel channel, Throwable cause) {
        channel.getPipeline().sendUpstream(new DefaultExceptionEvent(channel, cause));
    }

    public static void fireExceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.sendUpstream(new DefaultExceptionEvent(ctx.getChannel(), cause));
    }

    public static ChannelFuture fireExceptionCaughtLater(Channel channel, Throwable cause) {
        ExceptionEvent e = new DefaultExceptionEvent(channel, cause);
        return later(channel, () -> channel.getPipeline().sendUpstream(e));
    }

    public static ChannelFuture fireExceptionCaughtLater(ChannelHandlerContext ctx, Throwable cause) {
        ExceptionEvent e = new DefaultExceptionEvent(ctx.getChannel(), cause);
        return ctx.getPipeline().execute(() -> ctx.sendUpstream(e));
    }

    // ---- shared by all of them ----

    private static void up(Channel channel, EventKind kind, ChannelState state, Object value) {
        if (mayBeSeen(channel, kind)) {
            channel.getPipeline().sendUpstream(new UpstreamChannelStateEvent(channel, state, value));
        }
    }

    /** False if all handlers of the channel would only pass the event on. */
    private static boolean mayBeSeen(Channel channel, EventKind kind) {
        return SelectivePipeline.mayBeSeen(channel.getPipeline(), kind);
    }

    private static void up(ChannelHandlerContext ctx, ChannelState state, Object value) {
        ctx.sendUpstream(new UpstreamChannelStateEvent(ctx.getChannel(), state, value));
    }

    private static ChannelFuture later(Channel channel, Runnable fire) {
        return channel.getPipeline().execute(fire);
    }

    private static ChannelFuture down(Channel channel, ChannelState state, Object value) {
        return down(channel, future(channel), state, value);
    }

    private static ChannelFuture down(Channel channel, ChannelFuture future, ChannelState state, Object value) {
        channel.getPipeline().sendDownstream(new DownstreamChannelStateEvent(channel, future, state, value));
        return future;
    }

    private static void down(ChannelHandlerContext ctx, ChannelFuture future, ChannelState state, Object value) {
        ctx.sendDownstream(new DownstreamChannelStateEvent(ctx.getChannel(), future, state, value));
    }
}
