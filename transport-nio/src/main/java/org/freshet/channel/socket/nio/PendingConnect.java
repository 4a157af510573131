package org.freshet.channel.socket.nio;

import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.channel.socket.nio.loop.TaskQueue;
import org.freshet.internal.transport.NewSockets;

/**
 * Connects a channel, until there is an outcome: connected, refused, timed out, or abandoned.
 *
 * <p>Threading: {@link #start} and {@link #abandon} run on the channel's worker, everything else on the boss, unless a
 * subclass says otherwise. The worker is notified of the outcome once. This object itself is the task for that, so it
 * needs no memory.
 */
abstract class PendingConnect implements TaskQueue.Task {
    /** WAITING until there is an outcome. */
    enum State {
        WAITING,
        ENDED
    }

    final NioStreamChannel channel;

    /** 0 means no limit. */
    final int timeoutMillis;

    final ChannelFuture future;
    final NioClientBoss boss;

    /** Boss only, once started. */
    State state = State.WAITING;

    /** Boss only. Null if there is no time limit. */
    private Deadlines.Deadline deadline;

    /** Null means success. Written before the end. */
    private Throwable failure;

    /** Belongs to the worker's queue. */
    private TaskQueue.Task next;

    PendingConnect(NioStreamChannel channel, int timeoutMillis, ChannelFuture future, NioClientBoss boss) {
        this.channel = channel;
        this.timeoutMillis = timeoutMillis;
        this.future = future;
        this.boss = boss;
    }

    abstract void start();

    /** Releases sockets and keys. Called on the boss at the end; the worker may already have taken over the socket. */
    abstract void onRelease();

    /**
     * Returns the connected socket that replaces the channel's own, or null to keep that one. Known once the attempt
     * has ended.
     */
    SocketChannel connected() {
        return null;
    }

    /** Gives up. The outcome is a failure unless another one is already on its way. */
    void abandon() {
        Exception cause = ChannelClosedException.of(channel); // created here: if memory runs out, this is retried
        // If the boss has stopped, it has ended all its attempts.
        boss.submit(() -> onEnd(cause));
    }

    final void endOnWorker(Throwable cause) {
        state = State.ENDED;
        channel.onConnectEnded(future, cause, null);
    }

    /** @param task ends the attempt */
    final void startDeadline(int millis, Runnable task) {
        deadline = boss.deadlines().addIn(millis, task);
    }

    /** Returns the socket to the worker with the outcome; null means success. */
    final void onEnd(Throwable cause) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        failure = cause;
        boolean isSubmitted = channel.loop().tasks().submitLink(this);
        onRelease();
        if (deadline != null) {
            deadline.cancel();
        }
        if (!isSubmitted) {
            endStranded();
        }
    }

    final void onBossStopping() {
        onEnd(new ChannelClosedException(CloseReason.SHUTDOWN));
    }

    /** Called when the worker has stopped. */
    final void endStranded() {
        try {
            SocketChannel connected = connected();
            if (connected != null) {
                NewSockets.closeQuietly(connected);
            }
            channel.closeStranded();
        } finally {
            future.setFailure(ChannelClosedException.of(channel));
        }
    }

    /** Runs on the worker, after the end. */
    @Override
    public final void run() {
        channel.loop().counters().beginTaskOf(channel);
        try {
            channel.onConnectEnded(future, failure, connected());
        } catch (Throwable t) {
            channel.loop().onChannelFailed(channel, t);
            future.setFailure(t);
        }
    }

    @Override
    public final TaskQueue.Task next() {
        return next;
    }

    @Override
    public final void setNext(TaskQueue.Task following) {
        next = following;
    }

    /**
     * Adds the address, which is missing from the JDK's message, to a refusal. A Unix domain socket reports refusals
     * with other exceptions too, for example if the file does not exist or the backlog is full.
     */
    static Exception named(Exception e, SocketAddress address) {
        if (!(e instanceof ConnectException)
                && !(e instanceof SocketException && address instanceof UnixDomainSocketAddress)) {
            return e;
        }
        ConnectException named = new ConnectException(e.getMessage() + ": " + address);
        named.initCause(e);
        return named;
    }
}
