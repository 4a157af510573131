package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ConnectTimeoutException;

/**
 * Connects a channel's socket to one address. From {@link #start} until the end, the socket belongs to the boss.
 *
 * <p>Threading: as in {@link PendingConnect}. Methods named {@code onX} run on the boss.
 */
final class ConnectAttempt extends PendingConnect implements BossKey {
    private final SocketChannel socket;
    private final SocketAddress remoteAddress;

    /** Boss only. */
    private SelectionKey key;

    /** @param timeoutMillis 0 means no limit */
    ConnectAttempt(
            NioStreamChannel channel,
            SocketChannel socket,
            SocketAddress remoteAddress,
            int timeoutMillis,
            ChannelFuture future,
            NioClientBoss boss) {
        super(channel, timeoutMillis, future, boss);
        this.socket = socket;
        this.remoteAddress = remoteAddress;
    }

    /** Connects immediately if possible (it often is for a loopback peer), otherwise leaves the rest to the boss. */
    @Override
    void start() {
        try {
            if (socket.connect(remoteAddress)) {
                endOnWorker(null);
            } else if (!boss.submit(this::onStart)) {
                endOnWorker(new ChannelClosedException(CloseReason.SHUTDOWN));
            }
        } catch (IOException | RuntimeException e) {
            endOnWorker(named(e, remoteAddress));
        } catch (Error e) { // the request fails with it, which closes the channel
            if (state == State.WAITING) {
                endOnWorker(e);
            }
            throw e;
        }
    }

    private void onStart() {
        if (state == State.ENDED) {
            return; // abandoned before the boss ran this
        }
        try {
            key = boss.onRegister(socket, SelectionKey.OP_CONNECT, this);
            if (timeoutMillis > 0) {
                startDeadline(timeoutMillis, this::onTimeout);
            }
            if (!boss.isRunning()) {
                onLoopStopping();
            }
        } catch (Throwable t) { // even out of memory: nothing else knows of this attempt
            onEnd(t);
        }
    }

    @Override
    public void onConnectable() {
        if (state == State.ENDED) {
            key.cancel(); // it failed earlier
            return;
        }
        try {
            if (socket.finishConnect()) {
                onEnd(null);
            }
        } catch (IOException | RuntimeException e) {
            onEnd(named(e, remoteAddress));
        }
    }

    private void onTimeout() {
        onEnd(new ConnectTimeoutException("connection timed out after " + timeoutMillis + " ms: " + remoteAddress));
    }

    @Override
    void onRelease() {
        if (key != null) {
            key.cancel();
        }
    }

    @Override
    public void onLoopStopping() {
        onBossStopping();
    }

    @Override
    public void onKeyChanged(SelectionKey changed) {
        key = changed;
    }

    @Override
    public void onFailed(Throwable cause) {
        onEnd(new IOException("failed to finish a connect", cause));
    }
}
