package org.freshet.example.uptime;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/**
 * Keeps a connection to a server open: when it ends or can't be established, tries again after a pause. The pause
 * doubles while attempts fail, up to a limit.
 *
 * <p>There is one attempt or connection at a time, and its I/O thread reports on it; so the pause needs no lock. Only
 * {@link #close()} may be called by another thread.
 */
final class Reconnector implements AutoCloseable {
    private static final int MIN_PAUSE_MILLIS = 50;
    private static final int MAX_PAUSE_MILLIS = 5_000;

    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final UptimeLog log;

    /** The pause before the next attempt. */
    private volatile int pauseMillis = MIN_PAUSE_MILLIS;

    /** Guarded by this. */
    private boolean closed;

    /** @param silenceMillis time without input after which a server counts as dead */
    Reconnector(SocketAddress server, int silenceMillis, UptimeLog log) {
        this.log = log;
        ReadTimeoutHandler silence = new ReadTimeoutHandler(timer, silenceMillis, TimeUnit.MILLISECONDS);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(silence, new UptimeHandler(this, log)));
        bootstrap.setOption("remoteAddress", server);
        bootstrap.setOption("connectTimeoutMillis", silenceMillis);
    }

    void connect() {
        ChannelFuture connecting = bootstrap.connect();
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                log.record(UptimeLog.Event.FAILED, done.getCause().getMessage());
            }
        });
    }

    void connected() {
        pauseMillis = MIN_PAUSE_MILLIS;
    }

    /** Called when the channel is closed, whether it was ever connected or not. */
    synchronized void disconnected() {
        if (!closed) {
            timer.newTimeout(expired -> connect(), pauseMillis, TimeUnit.MILLISECONDS);
            pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
        }
    }

    /** Closes the connection for good, and stops all threads. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        timer.stop();
        bootstrap.releaseExternalResources();
    }
}
