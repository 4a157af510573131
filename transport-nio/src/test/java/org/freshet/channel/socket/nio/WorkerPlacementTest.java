package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.freshet.telemetry.StallWatch;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New channels are assigned to the workers in rotation, but not to a worker blocked by a handler. */
class WorkerPlacementTest {
    private final NioWorkerPool pool = new NioWorkerPool(Executors.newCachedThreadPool(), 3);
    private final CountDownLatch release = new CountDownLatch(1);

    @BeforeEach
    void watchClosely() {
        StallWatch.setListener(stall -> {});
        StallWatch.setLimit(Duration.ofMillis(100)); // longer than a busy machine keeps a runnable thread waiting
    }

    @AfterEach
    void end() {
        release.countDown();
        pool.releaseExternalResources();
        StallWatch.setListener(null);
        StallWatch.setLimit(Duration.ofSeconds(1));
    }

    private void hold(NioWorker worker) {
        worker.executeInIoThread(() -> Await.latch(release, "the end of the test"));
        Await.until(() -> worker.stats().isStalled(), "the watch to detect it");
    }

    private Set<NioWorker> chosen() {
        Set<NioWorker> chosen = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            chosen.add(pool.nextWorker());
        }
        return chosen;
    }

    @Test
    void shouldSkipAWorkerWhileAHandlerBlocksIt() {
        List<NioWorker> all = List.of(pool.nextWorker(), pool.nextWorker(), pool.nextWorker());
        assertEquals(Set.copyOf(all), chosen());
        hold(all.get(1));
        assertEquals(Set.of(all.get(0), all.get(2)), chosen());
        hold(all.get(2));
        assertEquals(Set.of(all.get(0)), chosen());
        release.countDown();
        Await.until(() -> all.stream().noneMatch(worker -> worker.stats().isStalled()), "the watch to detect the end");
        assertEquals(Set.copyOf(all), chosen());
    }

    @Test
    void shouldContinueInRotationWhenAllAreBlocked() {
        List<NioWorker> all = List.of(pool.nextWorker(), pool.nextWorker(), pool.nextWorker());
        all.forEach(this::hold);
        assertEquals(Set.copyOf(all), chosen());
    }
}
