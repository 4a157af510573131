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
 * What connects a channel, until there is an outcome: connected, refused, out of time, or abandoned.
 *
 * <p>Threading: {@link #start} and {@link #abandon} run on the channel's worker, the rest on the boss from then on, unless a subclass says
 * otherwise. The worker is told the outcome, once: this object itself is the task, so that it takes no memory.
 */
abstract class PendingConnect implements TaskQueue.Task {
    /** WAITING until there is an outcome. */
    enum State {
        WAITING,
        ENDED
    }

    final NioStreamChannel channel;

    /** 0 for none. */
    final int timeoutMillis;

    final ChannelFuture future;
    final NioClientBoss boss;

    /** Boss only, once started. */
    State state = State.WAITING;

    /** Boss only. Null when there is no time limit. */
    private Deadlines.Deadline deadline;

    /** Null for success. Written before the end. */
    private Throwable failure;

    /** The worker's queue's. */
    private TaskQueue.Task next;

    PendingConnect(NioStreamChannel channel, int timeoutMillis, ChannelFuture future, NioClientBoss boss) {
        this.channel = channel;
        this.timeoutMillis = timeoutMillis;
        this.future = future;
        this.boss = boss;
    }

    abstract void start();

    /** Lets go of sockets and keys, on the boss at the end, when the worker may have taken over the socket already. */
    abstract void onRelease();

    /** The socket that is connected in the place of the channel's own; null for that. Known from the end on. */
    SocketChannel connected() {
        return null;
    }

    /** Gives up; the outcome is a failure unless another one is already on its way. */
    void abandon() {
        Exception cause = ChannelClosedException.of(channel); // made here, where a lack of memory has this tried again
        // A boss that has stopped has ended all its attempts.
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

    /** Returns the socket to the worker with the outcome: null for success. */
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

    /** The worker has stopped. */
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

    /** On the worker, after the end. */
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
     * Adds the address, which the JDK's message doesn't name, to a refusal. A Unix domain socket is refused with other exceptions, too: if
     * there is no file, say, or no room in the backlog.
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
