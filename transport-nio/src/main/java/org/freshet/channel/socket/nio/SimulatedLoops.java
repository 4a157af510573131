package org.freshet.channel.socket.nio;

import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.freshet.channel.socket.nio.loop.Platform;

/**
 * The transport as it is, over a given kernel and clock: one boss for servers, one for clients, and workers that both kinds of connections
 * share. The door through which the simulation, in another package, comes in.
 *
 * <p>Threading: made by the test's thread; the rest by whoever holds the simulation's baton.
 */
public final class SimulatedLoops {
    private final Platform platform;
    private final List<NioLoop> bosses = new ArrayList<>();
    private final List<NioLoop> workers = new ArrayList<>();
    private final NioServerSocketChannelFactory servers;
    private final NioClientSocketChannelFactory clients;

    /**
     * @param threads supplies, for the name of a loop, what runs it
     */
    public SimulatedLoops(
            SelectorProvider provider, LongSupplier nanoClock, int workerCount, Function<String, Executor> threads) {
        platform = new Platform(provider, nanoClock);
        NioServerBossPool serverBosses = new NioServerBossPool(threads.apply("server-boss"), 1) {
            @Override
            protected NioServerBoss newBoss(Executor executor) {
                return added(bosses, new NioServerBoss(platform));
            }
        };
        NioClientBossPool clientBosses = new NioClientBossPool(threads.apply("client-boss"), 1) {
            @Override
            protected NioClientBoss newBoss(Executor executor) {
                return added(bosses, new NioClientBoss(platform));
            }
        };
        NioWorkerPool workerPool = new NioWorkerPool(threads.apply("worker"), workerCount) {
            @Override
            protected NioWorker newWorker(Executor executor) {
                return added(workers, new NioWorker(platform));
            }
        };
        servers = new NioServerSocketChannelFactory(serverBosses, workerPool, platform);
        clients = new NioClientSocketChannelFactory(clientBosses, workerPool, platform);
    }

    private static <L extends NioLoop> L added(List<NioLoop> loops, L loop) {
        loops.add(loop);
        return loop;
    }

    public NioServerSocketChannelFactory servers() {
        return servers;
    }

    public NioClientSocketChannelFactory clients() {
        return clients;
    }

    /** As a factory's shutdown does first; waits for nothing. */
    public void stopBosses() {
        bosses.forEach(NioLoop::requestStop);
    }

    /** As a factory's shutdown does when the bosses have ended. */
    public void stopWorkers() {
        workers.forEach(NioLoop::requestStop);
    }

    /** Has loops end that would not end otherwise, after a failure. */
    public void stopForcibly() {
        bosses.forEach(loop -> loop.thread().stop());
        workers.forEach(loop -> loop.thread().stop());
    }

    public void rebuildSelectors() {
        workers.forEach(NioLoop::rebuildSelector);
        bosses.forEach(NioLoop::rebuildSelector);
    }
}
