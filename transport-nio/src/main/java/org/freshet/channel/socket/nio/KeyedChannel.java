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
import org.freshet.internal.IoThreadBound;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;

/**
 * A channel driven by a loop: its key, its place in the loop's task queue, and the steps after its socket is closed.
 *
 * <p>Threading: the loop owns the key and the socket; any thread may call the getters. Methods named {@code onX} run on
 * the loop. A superclass rather than a field, to save one object per channel.
 */
abstract class KeyedChannel extends AbstractChannel implements LoopChannel.ClosableChannel, IoThreadBound, LoopSource {
    private static final TaskQueue.Task LAST_TASK = new TaskQueue.Link(() -> {});
    private static final VarHandle NEXT_TASK;

    static {
        try {
            NEXT_TASK = MethodHandles.lookup().findVarHandle(KeyedChannel.class, "nextTask", TaskQueue.Task.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final NioLoop loop;

    /**
     * Loop only. Null until the socket is registered, then its SelectionKey; a CloseSequence once the socket is about
     * to be closed. One field, because every connection has it.
     */
    private Object keyOrCloseSequence;

    /**
     * The flusher's link in the loop's task queue: null while it is not queued, {@link #LAST_TASK} if it is the last.
     */
    private volatile TaskQueue.Task nextTask;

    KeyedChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink, NioLoop loop) {
        super(parent, factory, pipeline, sink);
        this.loop = loop;
    }

    /** Fails pending requests and completes the close future, once the socket is closed. May be called again. */
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

    /**
     * Makes the selector report an operation, or stop reporting it. Does nothing before the socket is registered. Loop
     * only.
     */
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

    /**
     * Returns false if the flusher is in the queue, or another thread is about to put it there. Any thread may call it.
     */
    final boolean beginSubmission() {
        return NEXT_TASK.compareAndSet(this, null, LAST_TASK);
    }

    /** Called when the flusher has left the queue, or was refused. */
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

    /**
     * Prepares, while there is still memory, what {@link #onSocketClosed} will do. Called before the socket is closed.
     */
    final void onClosingSocket(boolean wasConnected, boolean wasBound) {
        keyOrCloseSequence = new CloseSequence(this, this::endRequests, wasConnected, wasBound);
    }

    /** Performs the steps after the socket was closed, or the remaining ones if an Error interrupted them before. */
    final void onSocketClosed() {
        if (keyOrCloseSequence instanceof CloseSequence sequence) { // otherwise the socket was closed without the loop
            loop.onForgotten(this);
            sequence.resume();
        }
    }
}
