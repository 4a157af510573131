package org.freshet.channel.socket.nio;

import java.util.function.Function;
import org.freshet.channel.socket.Worker;
import org.freshet.channel.socket.nio.loop.Platform;

/**
 * A loop without its own thread: it makes an iteration when a test says so, on the test's thread. A test can step
 * several loops in any order. Closing ends the loop and closes its channels.
 */
final class SteppedLoop<L extends NioLoop> implements AutoCloseable {
    private final L loop;

    SteppedLoop(Function<Platform, L> newLoop, Platform platform) {
        loop = newLoop.apply(platform);
        run(loop::begin);
    }

    L loop() {
        return loop;
    }

    /** Makes one iteration, which handles what is ready now and waits for nothing. */
    void turn() {
        loop.submit(() -> {});
        run(loop::runTurn);
    }

    /** Makes one iteration, which waits in the selector if there is nothing to do. */
    void waitingTurn() {
        run(loop::runTurn);
    }

    /** Runs an action as a handler would on the loop, without an iteration. */
    void onLoop(Runnable task) {
        run(task);
    }

    private void run(Runnable task) {
        loop.attach();
        try {
            task.run();
        } finally {
            loop.detach();
        }
    }

    /** A pool of this loop only, for a factory that must not stop it. */
    static <W extends NioLoop & Worker> WorkerPool<W> workers(SteppedLoop<W> stepped) {
        return new WorkerPool<>() {
            @Override
            public W nextWorker() {
                return stepped.loop;
            }

            @Override
            public void rebuildSelectors() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void shutdown() {}
        };
    }

    /** Like {@link #workers}. */
    static <B extends NioLoop & Boss> BossPool<B> bosses(SteppedLoop<B> stepped) {
        return new BossPool<>() {
            @Override
            public B nextBoss() {
                return stepped.loop;
            }

            @Override
            public void rebuildSelectors() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void shutdown() {}
        };
    }

    @Override
    public void close() {
        run(loop::end);
    }
}
