package org.freshet.channel.socket.nio.pool;

import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.channel.socket.nio.loop.Platform;

/**
 * The real transport over a given kernel and clock: one boss for servers, one for clients, and workers shared by both
 * kinds of connections. It serves the test kit's simulation; this package is exported to the test kit only.
 *
 * <p>Threading: created by the test's thread; every other call is made by the thread that holds the simulation's baton.
 */
public abstract class SimulatedLoops {
    /** Creates the loops. */
    @FunctionalInterface
    protected interface Maker {
        SimulatedLoops make(Platform platform, int workerCount, Function<String, Executor> threads);
    }

    private static volatile Maker maker;

    protected SimulatedLoops() {}

    /** Called by the implementing class when it is loaded. */
    protected static void setMaker(Maker made) {
        maker = made;
    }

    /**
     * Creates loops and starts them. The caller must have loaded the implementing class, which this package does not
     * import.
     *
     * @param threads returns the executor for a loop, given its name
     */
    public static SimulatedLoops over(
            SelectorProvider provider, LongSupplier nanoClock, int workerCount, Function<String, Executor> threads) {
        Maker present = maker;
        if (present == null) {
            throw new IllegalStateException("the class that creates the loops has not been loaded");
        }
        return present.make(new Platform(provider, nanoClock), workerCount, threads);
    }

    public abstract ServerSocketChannelFactory servers();

    public abstract ClientSocketChannelFactory clients();

    /** Does the first step of a factory's shutdown, without waiting. */
    public abstract void stopBosses();

    /** Does the second step of a factory's shutdown, after the bosses have ended. */
    public abstract void stopWorkers();

    /** Ends loops that would not end otherwise, after a failure. */
    public abstract void stopForcibly();

    public abstract void rebuildSelectors();
}
