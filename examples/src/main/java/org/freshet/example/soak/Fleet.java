package org.freshet.example.soak;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.freshet.bootstrap.DrainReport;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.ssl.SslContext;
import org.freshet.util.Timer;

/**
 * One server per transport. They are replaced in turn: a new one is bound and gets new clients, the old one is drained.
 * Clients may ask from any thread; the thread of the run replaces servers.
 */
final class Fleet {
    /** More than a drain's own deadline. */
    private static final Duration MAX_DRAIN = Duration.ofSeconds(60);

    private static final List<Supplier<ServerChannelFactory>> TRANSPORTS =
            List.of(() -> new NioServerSocketChannelFactory(1), OioServerSocketChannelFactory::new);

    private final Timer timer;
    private final SslContext tls;
    private final Ledger ledger;
    private final Duration drainDeadline;

    /** Indexed by transport. */
    private final AtomicReferenceArray<SoakServer> servers = new AtomicReferenceArray<>(TRANSPORTS.size());

    private int next;
    private int drains;
    private int drainedConnections;
    private int lostOrCutOff;

    /** @param drainDeadline how long a server that is replaced waits for its connections */
    Fleet(Timer timer, SslContext tls, Ledger ledger, Duration drainDeadline) {
        this.drainDeadline = drainDeadline;
        this.timer = timer;
        this.tls = tls;
        this.ledger = ledger;
        for (int i = 0; i < TRANSPORTS.size(); i++) {
            servers.set(i, bind(i));
        }
    }

    private SoakServer bind(int transport) {
        return new SoakServer(TRANSPORTS.get(transport), timer, tls, ledger, drainDeadline);
    }

    SoakServer any(Random random) {
        return servers.get(random.nextInt(TRANSPORTS.size()));
    }

    /** Replaces the server of the next transport, and waits until the old one is gone. */
    void roll() throws InterruptedException {
        SoakServer old = servers.getAndSet(next, bind(next));
        next = (next + 1) % TRANSPORTS.size();
        end(old);
    }

    /** Stops all servers. */
    void end() throws InterruptedException {
        for (int i = 0; i < TRANSPORTS.size(); i++) {
            end(servers.get(i));
        }
    }

    private void end(SoakServer server) throws InterruptedException {
        try {
            DrainReport report = server.drain().get(MAX_DRAIN.toMillis(), TimeUnit.MILLISECONDS);
            drains++;
            drainedConnections += report.connections();
            lostOrCutOff += report.lost().size() + report.cutOff().size();
        } catch (ExecutionException | TimeoutException e) {
            ledger.onFault("a drain did not end: " + e);
        }
        server.release();
    }

    @Override
    public String toString() {
        return drains + " drains of " + drainedConnections + " connections, of which " + lostOrCutOff
                + " were lost or cut off";
    }
}
