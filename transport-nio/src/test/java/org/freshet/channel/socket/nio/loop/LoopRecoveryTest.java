package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** What a loop does after a failure. */
class LoopRecoveryTest {
    private final LoopRecovery recovery = new LoopRecovery();
    private final List<String> closed = new ArrayList<>();
    private final LoopChannel channel = new LoopChannel() {
        @Override
        public void onFailed(Throwable cause) {
            throw new AssertionError("has failed already", cause);
        }

        @Override
        public void onLoopStopping() {
            closed.add("channel");
        }

        @Override
        public void onKeyChanged(SelectionKey key) {}
    };

    private static OutOfMemoryError withoutMemory() {
        return new OutOfMemoryError("thrown on purpose");
    }

    @Test
    void shouldHaveNothingToDoWithoutAFailure() {
        assertFalse(recovery.isPending());
        assertFalse(recovery.takeSelectorSuspicion());
        recovery.closeChannels(() -> closed.add("all"));
        assertEquals(List.of(), closed);
    }

    @Test
    void shouldBePendingUntilTheChannelIsClosed() {
        recovery.add(channel);
        assertTrue(recovery.isPending());
        recovery.closeChannels(() -> closed.add("all"));
        assertEquals(List.of("channel"), closed);
        assertFalse(recovery.isPending());
    }

    @Test
    void shouldSuspectTheSelectorOnceAfterMemoryRanOut() {
        recovery.onFailure(withoutMemory());
        assertTrue(recovery.isPending());
        assertTrue(recovery.takeSelectorSuspicion());
        assertFalse(recovery.takeSelectorSuspicion());
        assertFalse(recovery.isPending());
    }

    @Test
    void shouldNotSuspectTheSelectorAfterOtherFailures() {
        recovery.onFailure(new IllegalStateException("made on purpose"));
        assertFalse(recovery.isPending());
        recovery.onFailure(withoutMemory());
        recovery.onFailure(new IllegalStateException("made on purpose"));
        assertTrue(recovery.takeSelectorSuspicion(), "it isn't cleared by a later failure");
    }

    @Test
    void shouldCloseChannelsBeforeItReplacesTheSelector() {
        recovery.onFailure(withoutMemory());
        recovery.add(channel);
        assertFalse(recovery.takeSelectorSuspicion());
        recovery.closeChannels(() -> closed.add("all"));
        assertTrue(recovery.takeSelectorSuspicion());
    }

    @Test
    void shouldSuspectTheSelectorAfterAFailureThatIsLogged() {
        try (CapturedLog log = CapturedLog.start()) {
            recovery.log("a message", withoutMemory());
            assertEquals("a message", log.only().text());
        }
        assertTrue(recovery.takeSelectorSuspicion());
        recovery.logLater(withoutMemory());
        assertTrue(recovery.takeSelectorSuspicion());
    }

    @Test
    void shouldLogTheFirstFailureThatCouldNotBeLoggedWithTheNextMessage() {
        RuntimeException first = new IllegalStateException("made on purpose");
        RuntimeException last = new IllegalStateException("made on purpose, too");
        try (CapturedLog log = CapturedLog.start()) {
            recovery.logLater(first);
            recovery.logLater(new IllegalStateException("a consequence"));
            assertEquals(List.of(), log.messages());
            recovery.log("a message", last);
            assertEquals(2, log.messages().size());
            assertSame(first, log.messages().get(0).cause());
            assertSame(last, log.messages().get(1).cause());
            assertEquals("a message", log.messages().get(1).text());
            recovery.log("another", last);
            assertEquals(3, log.messages().size(), "each failure is logged once");
        }
    }

    @Test
    void shouldKeepAFailureThatTheLogCannotTake() {
        RuntimeException failure = new IllegalStateException("made on purpose");
        try (CapturedLog broken = CapturedLog.failing(LoopRecoveryTest::withoutMemory)) {
            recovery.log("a message", failure);
            assertEquals(List.of(), broken.messages());
        }
        try (CapturedLog log = CapturedLog.start()) {
            recovery.log("later", new IllegalStateException("made on purpose, too"));
            assertSame(failure, log.messages().get(0).cause());
        }
    }
}
