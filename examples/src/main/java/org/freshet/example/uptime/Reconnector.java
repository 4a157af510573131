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
 * Keeps one connection to a server: when it ends, or cannot be made, the next attempt follows after a pause. The pause
 * doubles while attempts fail, up to a limit.
 *
 * <p>There is one attempt or connection at a time, and what it tells comes from its I/O thread; so the pause needs no lock.
 * Only {@link #close()} comes from elsewhere.
 */
final class Reconnector implements AutoCloseable {
    private static final int MIN_PAUSE_MILLIS = 50;
    private static final int MAX_PAUSE_MILLIS = 5_000;

    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final UptimeLog log;

    /** Before the next attempt, should it be needed. */
    private volatile int pauseMillis = MIN_PAUSE_MILLIS;

    /** Guarded by this. */
    private boolean closed;

    /** @param silenceMillis how long a server may say nothing before it counts as dead */
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
                log.tell(UptimeLog.Event.FAILED, done.getCause().getMessage());
            }
        });
    }

    void connected() {
        pauseMillis = MIN_PAUSE_MILLIS;
    }

    /** The channel is closed, whether it was ever connected or not. */
    synchronized void disconnected() {
        if (!closed) {
            timer.newTimeout(expired -> connect(), pauseMillis, TimeUnit.MILLISECONDS);
            pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
        }
    }

    /** Ends the connection for good, and all threads. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        timer.stop();
        bootstrap.releaseExternalResources();
    }
}
