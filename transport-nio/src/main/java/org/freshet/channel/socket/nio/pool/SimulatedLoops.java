package org.freshet.channel.socket.nio.pool;

import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.channel.socket.nio.loop.Platform;

/**
 * The transport as it is, over a given kernel and clock: one boss for servers, one for clients, and workers that both kinds of connections
 * share. For the simulation of the test kit, to which alone this package is exported.
 *
 * <p>Threading: made by the test's thread; every other call is made by the thread that holds the simulation's baton.
 */
public abstract class SimulatedLoops {
    /** Makes loops. */
    @FunctionalInterface
    protected interface Maker {
        SimulatedLoops make(Platform platform, int workerCount, Function<String, Executor> threads);
    }

    private static volatile Maker maker;

    protected SimulatedLoops() {}

    /** For the class that makes them, when it is loaded. */
    protected static void setMaker(Maker made) {
        maker = made;
    }

    /**
     * Makes loops and starts them. The caller has loaded the class that makes them, which this package does not import.
     *
     * @param threads supplies, for the name of a loop, what runs it
     */
    public static SimulatedLoops over(
            SelectorProvider provider, LongSupplier nanoClock, int workerCount, Function<String, Executor> threads) {
        Maker present = maker;
        if (present == null) {
            throw new IllegalStateException("the class that makes the loops has not been loaded");
        }
        return present.make(new Platform(provider, nanoClock), workerCount, threads);
    }

    public abstract ServerSocketChannelFactory servers();

    public abstract ClientSocketChannelFactory clients();

    /** Does what a factory's shutdown does first; waits for nothing. */
    public abstract void stopBosses();

    /** Does what a factory's shutdown does when the bosses have ended. */
    public abstract void stopWorkers();

    /** Has loops end that would not end otherwise, after a failure. */
    public abstract void stopForcibly();

    public abstract void rebuildSelectors();
}
