package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Memory runs out in the middle of a server's close, at a point that the test chooses. The rest of the close is done in
 * a later iteration. Iteration by iteration, on the test's thread.
 */
class InterruptedServerCloseTest {
    private final SteppedLoop<NioServerBoss> boss = new SteppedLoop<>(NioServerBoss::new, Platform.DEFAULT);
    private final SteppedLoop<NioWorker> worker = new SteppedLoop<>(NioWorker::new, Platform.DEFAULT);
    private final NioServerSocketChannelFactory factory =
            new NioServerSocketChannelFactory(SteppedLoop.bosses(boss), SteppedLoop.workers(worker), Platform.DEFAULT);
    private final Recorder handler = new Recorder();
    private final StarvedPipeline pipeline = new StarvedPipeline();
    private CapturedLog log;
    private NioServerSocketChannel server;

    @BeforeEach
    void bind() {
        log = CapturedLog.start();
        pipeline.addLast("recorder", handler);
        server = (NioServerSocketChannel) factory.newChannel(pipeline);
        server.bind(Rig.FREE_PORT);
        boss.turn();
        assertEquals(List.of("open", "bound"), handler.events());
    }

    @AfterEach
    void end() {
        boss.close();
        worker.close();
        log.close();
    }

    @Test
    void shouldFireTheEventAfterTheOneThatFailed() {
        pipeline.failOn("unbound");
        ChannelFuture closed = server.close();
        boss.turn();
        boss.turn();
        assertTrue(closed.isSuccess());
        assertFalse(server.isBound());
        assertEquals(List.of("open", "bound", "closed"), handler.events());
    }

    @Test
    void shouldFireNothingTwice() {
        server.close();
        boss.turn();
        server.close();
        boss.turn();
        boss.onLoop(server::onLoopStopping);
        assertEquals(List.of("open", "bound", "unbound", "closed"), handler.events());
    }

    @Test
    void shouldCarryOutARequestMadeWhileTheTaskForAnEarlierOneIsStillQueued() {
        onAnotherThread(() -> server.bind(Rig.FREE_PORT));
        ChannelFuture[] futures = new ChannelFuture[2];
        boss.onLoop(() -> futures[0] = server.bind(Rig.FREE_PORT)); // takes the other one from the inbox first
        assertEquals(2, handler.failures().size());
        onAnotherThread(() -> futures[1] = server.bind(Rig.FREE_PORT));
        assertFalse(futures[1].isDone());
        boss.turn();
        assertTrue(futures[1].isDone());
        onAnotherThread(server::close);
        boss.turn();
        assertTrue(server.getCloseFuture().isDone());
    }

    private static void onAnotherThread(Runnable action) {
        Thread other = new Thread(action);
        other.start();
        Await.end(other);
    }
}
