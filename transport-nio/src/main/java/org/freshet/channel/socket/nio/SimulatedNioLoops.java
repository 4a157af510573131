package org.freshet.channel.socket.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.SimulatedLoops;

/** The loops of a simulation, made by {@link SimulatedLoops} once the test kit has loaded this class by its name. */
final class SimulatedNioLoops extends SimulatedLoops {
    private final List<NioLoop> bosses = new ArrayList<>();
    private final List<NioLoop> workers = new ArrayList<>();
    private final NioServerSocketChannelFactory servers;
    private final NioClientSocketChannelFactory clients;

    private SimulatedNioLoops(Platform platform, int workerCount, Function<String, Executor> threads) {
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

    static {
        setMaker(SimulatedNioLoops::new);
    }

    private static <L extends NioLoop> L added(List<NioLoop> loops, L loop) {
        loops.add(loop);
        return loop;
    }

    @Override
    public NioServerSocketChannelFactory servers() {
        return servers;
    }

    @Override
    public NioClientSocketChannelFactory clients() {
        return clients;
    }

    @Override
    public void stopBosses() {
        bosses.forEach(NioLoop::requestStop);
    }

    @Override
    public void stopWorkers() {
        workers.forEach(NioLoop::requestStop);
    }

    @Override
    public void stopForcibly() {
        bosses.forEach(loop -> loop.thread().stop());
        workers.forEach(loop -> loop.thread().stop());
    }

    @Override
    public void rebuildSelectors() {
        workers.forEach(NioLoop::rebuildSelector);
        bosses.forEach(NioLoop::rebuildSelector);
    }
}
