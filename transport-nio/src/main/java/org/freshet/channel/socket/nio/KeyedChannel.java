package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireExceptionCaught;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.List;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.socket.nio.loop.LoopChannel;
import org.freshet.channel.socket.nio.loop.TaskQueue;
import org.freshet.internal.FieldHandles;
import org.freshet.internal.IoThreadBound;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;

/**
 * A channel that a loop drives: its key, its place in the loop's queue of tasks, and what follows the close of its socket.
 *
 * <p>Threading: the loop owns the key and the socket; the getters may be called from anywhere. Methods named {@code onX} run on the loop.
 * A superclass rather than a field, so that a channel needs no further object.
 */
abstract class KeyedChannel extends AbstractChannel implements LoopChannel.ClosableChannel, IoThreadBound, LoopSource {
    private static final TaskQueue.Task LAST_TASK = new TaskQueue.Link(() -> {});
    private static final VarHandle NEXT_TASK =
            FieldHandles.of(MethodHandles.lookup(), "nextTask", TaskQueue.Task.class);

    final NioLoop loop;

    /**
     * Loop only. Null while no selector knows the socket, then its SelectionKey; a CloseSequence once the socket is about to be closed.
     * One field, because every connection has it.
     */
    private Object keyOrCloseSequence;

    /** The flusher's place in the loop's queue of tasks: null while it is not in there, {@link #LAST_TASK} before none. */
    private volatile TaskQueue.Task nextTask;

    KeyedChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink, NioLoop loop) {
        super(parent, factory, pipeline, sink);
        this.loop = loop;
    }

    /** Fails what was asked of the channel and completes the close future, once its socket is closed; may be called again. */
    abstract void endRequests();

    final NioLoop loop() {
        return loop;
    }

    @Override
    public final List<LoopStats> loopStats() {
        return List.of(loop.stats());
    }

    @Override
    public final boolean inIoThread() {
        return loop.inLoop();
    }

    @Override
    public final void runLater(Runnable task) {
        loop.tasks().submit(task);
    }

    @Override
    public final boolean runsEvents() {
        return loop.inLoop();
    }

    // ---- the key ----------------------------------------------------------------------------------------------------

    final boolean isRegistered() {
        return keyOrCloseSequence != null;
    }

    /** Registers the socket with the loop's selector. Loop only. */
    final void register(SelectableChannel socket, int ops) throws IOException {
        keyOrCloseSequence = loop.onRegister(socket, ops, this);
    }

    @Override
    public final void onKeyChanged(SelectionKey changed) {
        if (keyOrCloseSequence instanceof SelectionKey) {
            keyOrCloseSequence = changed;
        }
    }

    /** Has the selector report an operation, or not. Does nothing before the socket is registered. Loop only. */
    final void setInterest(int op, boolean on) {
        if (!(keyOrCloseSequence instanceof SelectionKey key) || !key.isValid()) {
            return;
        }
        int ops = key.interestOps();
        int wanted = on ? ops | op : ops & ~op;
        if (wanted != ops) {
            key.interestOps(wanted);
        }
    }

    // ---- the flusher's place in the loop's queue of tasks -----------------------------------------------------------

    /** Returns false if the flusher is in the queue, or about to be put there by another thread. Any thread. */
    final boolean beginSubmission() {
        return NEXT_TASK.compareAndSet(this, null, LAST_TASK);
    }

    /** The flusher is not in the queue any more, or was refused. */
    final void endSubmission() {
        nextTask = null;
    }

    final TaskQueue.Task nextTask() {
        TaskQueue.Task next = nextTask;
        return next == LAST_TASK ? null : next;
    }

    final void setNextTask(TaskQueue.Task next) {
        nextTask = next == null ? LAST_TASK : next;
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    final void completeWithClose(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
    }

    final void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            fireExceptionCaught(this, e);
        }
    }

    /** Makes ready, while there is memory for it, what {@link #onSocketClosed} does. Before the socket is closed. */
    final void onClosingSocket(boolean wasConnected, boolean wasBound) {
        keyOrCloseSequence = new CloseSequence(this, this::endRequests, wasConnected, wasBound);
    }

    /** Does what follows the close of the socket, or the rest of it if an Error interrupted that before. */
    final void onSocketClosed() {
        if (keyOrCloseSequence instanceof CloseSequence sequence) { // else the socket was closed without the loop
            loop.onForgotten(this);
            sequence.resume();
        }
    }
}
