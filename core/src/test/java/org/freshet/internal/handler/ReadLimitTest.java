package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What other threads do between two steps of a method is done by the checks of the count, which are scripted. */
class ReadLimitTest {
    private final Queue<BooleanSupplier> checks = new ArrayDeque<>();
    private ReadSuspension reading;
    private ReadLimit limit;

    @BeforeEach
    void create() {
        SimpleChannelHandler handler = new SimpleChannelHandler();
        MemoryChannel channel = MemoryChannel.connected(handler);
        reading = ReadSuspension.at(channel.context(handler));
        limit = new ReadLimit(reading, () -> checks.remove().getAsBoolean());
    }

    private void expectChecks(BooleanSupplier... results) {
        checks.addAll(List.of(results));
    }

    @Test
    void shouldSuspendOnceFromTheLimitUntilTheCountIsLow() {
        expectChecks(() -> false);
        limit.suspend();
        limit.suspend();
        assertTrue(reading.isSuspended());
        expectChecks(() -> true, () -> true);
        limit.resumeIfLow();
        assertFalse(reading.isSuspended());
        expectChecks(() -> true);
        limit.resumeIfLow();
        assertFalse(reading.isSuspended());
        assertEquals(0, checks.size());
    }

    @Test
    void shouldNotStaySuspendedIfTheCountHasBecomeLowMeanwhile() {
        expectChecks(() -> true, () -> true);
        limit.suspend();
        assertFalse(reading.isSuspended());
    }

    @Test
    void shouldStaySuspendedIfTheLimitWasReachedAgainAfterTheFirstCheck() {
        expectChecks(() -> false);
        limit.suspend();
        expectChecks(this::othersResumeAndReachTheLimit, () -> false, () -> false);
        limit.resumeIfLow();
        assertTrue(reading.isSuspended());
        assertEquals(0, checks.size());
    }

    /** The next two checks are theirs: the one that resumes sees a low count, the one that suspends a high one. */
    private boolean othersResumeAndReachTheLimit() {
        List<BooleanSupplier> rest = List.copyOf(checks);
        checks.clear();
        expectChecks(() -> true, () -> true, () -> false);
        limit.resumeIfLow();
        limit.suspend();
        checks.addAll(rest);
        return true;
    }

    @Test
    void shouldResumeWhenTheCountIsLowAgainAfterTheSuspensionWasRestored() {
        expectChecks(() -> false);
        limit.suspend();
        expectChecks(() -> true, () -> false, () -> true, () -> true);
        limit.resumeIfLow();
        assertFalse(reading.isSuspended());
    }

    @Test
    void shouldLeaveTheSuspensionToTheThreadThatHasSuspendedAgain() {
        expectChecks(() -> false);
        limit.suspend();
        expectChecks(() -> true, this::anotherSuspends);
        limit.resumeIfLow();
        assertTrue(reading.isSuspended());
        expectChecks(() -> true, () -> true);
        limit.resumeIfLow();
        assertFalse(reading.isSuspended());
    }

    private boolean anotherSuspends() {
        expectChecks(() -> false);
        limit.suspend();
        return false;
    }
}
