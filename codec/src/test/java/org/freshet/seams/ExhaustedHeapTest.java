package org.freshet.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.freshet.seams.Crowd.Way;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Attackers fill the heap of a JVM of 64 MB that has served others and has no budget. Ten seconds after they have left,
 * every client is served, and what protects the server works.
 *
 * <p>The server closes the largest backlogs each time the heap is full. So an attack is over after some failed
 * allocations, or when none of its connections is left.
 */
@EnabledIfSystemProperty(
        named = "freshet.test.heap",
        matches = "true",
        disabledReason = "needs an idle machine; -Dfreshet.test.heap=true runs it")
@Timeout(300) // each allocation that fails takes a garbage collection first
class ExhaustedHeapTest {
    private static final int ATTACKERS = 100;
    private static final int NEIGHBOURS = 10;
    private static final int VISITORS = 3;
    private static final long RECOVERY_SECONDS = 10;
    private static final int ROUNDS_AFTER = 20;

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OIO", "OIO_WEB_SOCKET"}) // their writers wait
    void shouldServeAndProtectAgainTenSecondsAfterAnAttack(Way way) throws Exception {
        try (Child child = new Child(way, 0)) {
            child.visit(VISITORS);
            child.connectCrowd(ATTACKERS);
            child.order(Crowd.START);
            child.await(Crowd.FULL);
            child.leaveCrowd();
            long leftNanos = System.nanoTime();
            child.order(Crowd.STOP);
            String result = child.await("most=");
            awaitService(child, leftNanos + TimeUnit.SECONDS.toNanos(RECOVERY_SECONDS), result);
            child.order(Crowd.CHECK);
            assertEquals(
                    "checked counts=true budget=true timer=true timeouts=true stalls=true",
                    child.await("checked"),
                    () -> result);
            child.exchange(ROUNDS_AFTER);
        }
    }

    /** A refused client retries until the time is over. */
    private static void awaitService(Child child, long deadlineNanos, String result) throws IOException {
        while (true) {
            try {
                child.leaveNeighbours();
                child.connectNeighbours(NEIGHBOURS);
                child.exchange(1);
                assertTrue(System.nanoTime() - deadlineNanos < 0, () -> "served too late; " + result);
                return;
            } catch (IOException | AssertionError refused) {
                assertTrue(System.nanoTime() - deadlineNanos < 0, () -> "not served: " + refused + "; " + result);
            }
        }
    }
}
