package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.channel.socket.nio.loop.LoopChannel;
import org.freshet.channel.socket.nio.loop.TaskQueue;

/**
 * One attempt to connect a socket to an address, until it is connected, refused, out of time, or abandoned.
 *
 * <p>Threading: {@link #start} and {@link #abandon} run on the channel's worker. From {@code start} until the attempt ends
 * the socket is the boss's, and methods named {@code onX} run on the boss. The worker is told the outcome, once: the attempt itself is
 * the task, so that this takes no memory.
 */
final class ConnectAttempt implements LoopChannel, TaskQueue.Task {
    /** WAITING until there is an outcome. */
    enum State {
        WAITING,
        ENDED
    }

    private final NioStreamChannel channel;
    private final SocketChannel socket;
    private final SocketAddress remoteAddress;
    private final int timeoutMillis;
    private final ChannelFuture future;
    private final NioClientBoss boss;

    /** Boss only, once started. */
    private State state = State.WAITING;

    /** Boss only. */
    private SelectionKey key;

    /** Boss only. Null when there is no time limit. */
    private Deadlines.Deadline deadline;

    /** Null for success. Written before the attempt ends. */
    private Throwable failure;

    /** The worker's queue's. */
    private TaskQueue.Task next;

    /**
     * @param timeoutMillis 0 for none
     */
    ConnectAttempt(
            NioStreamChannel channel,
            SocketChannel socket,
            SocketAddress remoteAddress,
            int timeoutMillis,
            ChannelFuture future,
            NioClientBoss boss) {
        this.channel = channel;
        this.socket = socket;
        this.remoteAddress = remoteAddress;
        this.timeoutMillis = timeoutMillis;
        this.future = future;
        this.boss = boss;
    }

    /** Connects at once where that is possible (a loopback peer often is), else leaves the rest to the boss. */
    void start() {
        try {
            if (socket.connect(remoteAddress)) {
                endOnWorker(null);
            } else if (!boss.submit(this::onStart)) {
                endOnWorker(new ChannelClosedException(CloseReason.SHUTDOWN));
            }
        } catch (UnresolvedAddressException e) {
            endOnWorker(new UnresolvedHostException(remoteAddress));
        } catch (SocketException e) {
            endOnWorker(isNameless(e) ? named(e) : e);
        } catch (IOException | RuntimeException e) {
            endOnWorker(e);
        } catch (Error e) { // the request fails with it, and closes the channel
            if (state == State.WAITING) {
                endOnWorker(e);
            }
            throw e;
        }
    }

    private void endOnWorker(Throwable cause) {
        state = State.ENDED;
        channel.onConnectEnded(future, cause);
    }

    /** Gives up; the outcome is a failure unless another one is already on its way. */
    void abandon() {
        Exception cause = ChannelClosedException.of(channel); // made here, where a lack of memory has this tried again
        // A boss that has stopped has ended all its attempts.
        boss.submit(() -> onEnd(cause));
    }

    private void onStart() {
        if (state == State.ENDED) {
            return; // abandoned before the boss ran this
        }
        try {
            key = boss.onRegister(socket, SelectionKey.OP_CONNECT, this);
            if (timeoutMillis > 0) {
                deadline = boss.deadlines().addIn(timeoutMillis, this::onTimeout);
            }
            if (!boss.isRunning()) {
                onLoopStopping();
            }
        } catch (Throwable t) { // also without memory: nothing else knows of this attempt
            onEnd(t);
        }
    }

    void onConnectable() {
        if (state == State.ENDED) {
            key.cancel(); // failed before
            return;
        }
        try {
            if (socket.finishConnect()) {
                onEnd(null);
            }
        } catch (ConnectException e) {
            onEnd(named(e));
        } catch (IOException | RuntimeException e) {
            onEnd(e);
        }
    }

    private void onTimeout() {
        onEnd(new ConnectTimeoutException("connection timed out after " + timeoutMillis + " ms: " + remoteAddress));
    }

    @Override
    public void onLoopStopping() {
        onEnd(new ChannelClosedException(CloseReason.SHUTDOWN));
    }

    @Override
    public void onKeyChanged(SelectionKey changed) {
        key = changed;
    }

    @Override
    public void onFailed(Throwable cause) {
        onEnd(new IOException("failed to finish a connect", cause));
    }

    /** Returns the socket to the worker with the outcome: null for success. */
    void onEnd(Throwable cause) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        failure = cause;
        boolean isSubmitted = channel.loop().tasks().submitLink(this);
        if (key != null) {
            key.cancel();
        }
        if (deadline != null) {
            deadline.cancel();
        }
        if (!isSubmitted) {
            endStranded();
        }
    }

    private void endStranded() {
        try {
            channel.closeStranded();
        } finally {
            future.setFailure(ChannelClosedException.of(channel));
        }
    }

    /** On the worker, after the end. */
    @Override
    public void run() {
        channel.loop().counters().beginTaskOf(channel);
        try {
            channel.onConnectEnded(future, failure);
        } catch (Throwable t) {
            channel.loop().onChannelFailed(channel, t);
            future.setFailure(t);
        }
    }

    @Override
    public TaskQueue.Task next() {
        return next;
    }

    @Override
    public void setNext(TaskQueue.Task following) {
        next = following;
    }

    /** A Unix domain socket fails with other exceptions, too: if there is no file, say, or no room in the backlog. */
    private boolean isNameless(SocketException e) {
        return e instanceof ConnectException || remoteAddress instanceof UnixDomainSocketAddress;
    }

    /** The JDK's message does not name the address that refused. */
    private ConnectException named(SocketException e) {
        ConnectException named = new ConnectException(e.getMessage() + ": " + remoteAddress);
        named.initCause(e);
        return named;
    }

    /** The JDK's exception of this kind, with a message. */
    private static final class UnresolvedHostException extends UnresolvedAddressException {
        private static final long serialVersionUID = 1L;

        private final String message;

        UnresolvedHostException(SocketAddress address) {
            message = "unresolved address: "
                    + (address instanceof InetSocketAddress inet
                            ? inet.getHostString() + ":" + inet.getPort()
                            : address);
        }

        @Override
        public String getMessage() {
            return message;
        }
    }
}
