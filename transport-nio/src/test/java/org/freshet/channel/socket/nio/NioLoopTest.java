package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.nio.loop.LoopChannel;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The loop iteration by iteration, on the test's thread, with a clock and a selector that the test controls. */
class NioLoopTest {
    private static final int TURNS_OF_A_SPINNING_LOOP = 2_000;

    private final FakeClock clock = new FakeClock();
    private final List<Long> waits = new ArrayList<>();
    private final IdleSelectorProvider selectors = new IdleSelectorProvider(this::waitInSelector);
    private final SteppedLoop<NioServerBoss> stepped =
            new SteppedLoop<>(NioServerBoss::new, new Platform(selectors, clock::nanos));
    private final NioLoop loop = stepped.loop();
    private final List<String> ran = new ArrayList<>();

    /** Whether waits end immediately, as on a broken kernel. */
    private boolean isBroken;

    @AfterEach
    void end() {
        Thread.interrupted();
        stepped.close();
    }

    /** Like the JDK's: an interrupted thread does not wait, and stays interrupted. */
    private long waitInSelector(long timeoutMillis) {
        if (!isBroken && !Thread.currentThread().isInterrupted()) {
            waits.add(timeoutMillis);
            clock.advanceMillis(timeoutMillis);
        }
        return 0;
    }

    private void addDeadline(long millis, String name) {
        stepped.onLoop(() -> loop.deadlines().addIn(millis, () -> ran.add(name)));
    }

    @Test
    void shouldWaitWithoutLimitWhenThereIsNoDeadline() {
        stepped.waitingTurn();
        assertEquals(List.of(0L), waits);
    }

    @Test
    void shouldWaitUntilTheNextDeadlineAndThenExpireIt() {
        addDeadline(250, "later");
        addDeadline(100, "sooner");

        stepped.waitingTurn();
        assertEquals(List.of(100L), waits);
        assertEquals(List.of("sooner"), ran);

        stepped.waitingTurn();
        assertEquals(List.of(100L, 150L), waits);
        assertEquals(List.of("sooner", "later"), ran);
    }

    @Test
    void shouldNotWaitWhenADeadlineHasPassed() {
        addDeadline(100, "passed");
        clock.advanceMillis(101);
        stepped.waitingTurn();
        assertEquals(List.of(), waits);
        assertEquals(List.of("passed"), ran);
    }

    @Test
    void shouldRunTasksInOrderWithoutWaiting() {
        loop.submit(() -> ran.add("first"));
        loop.submit(() -> ran.add("second"));
        stepped.waitingTurn();
        assertEquals(List.of(), waits);
        assertEquals(List.of("first", "second"), ran);
    }

    @Test
    void shouldWaitAgainAfterAnInterruptEvenIfADeadlineIsPending() {
        addDeadline(60_000, "late");
        Thread.currentThread().interrupt();
        stepped.waitingTurn();
        assertEquals(List.of(), waits, "the interrupt ends the first wait immediately");
        stepped.waitingTurn();
        assertEquals(List.of(60_000L), waits);
        assertEquals(List.of("late"), ran);
    }

    @Test
    void shouldWaitAgainAfterAnInterruptWithoutADeadline() {
        Thread.currentThread().interrupt();
        stepped.waitingTurn();
        stepped.waitingTurn();
        assertEquals(List.of(0L), waits);
    }

    @Test
    void shouldReplaceASelectorThatReturnsWithoutCause() {
        shouldReplaceABrokenSelector();
    }

    @Test
    void shouldReplaceASelectorThatReturnsBeforeTheNextDeadline() {
        addDeadline(60_000, "late");
        shouldReplaceABrokenSelector();
        assertEquals(List.of(), ran);
    }

    private void shouldReplaceABrokenSelector() {
        isBroken = true;
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < TURNS_OF_A_SPINNING_LOOP && selectors.opened() == 1; i++) {
                stepped.waitingTurn();
            }
            assertEquals(2, selectors.opened());
            assertTrue(log.messages().stream().anyMatch(m -> m.text().contains("returning without cause")));
        }
    }

    @Test
    void shouldKeepASelectorWhoseWaitsEndWithADeadline() {
        for (int i = 0; i < TURNS_OF_A_SPINNING_LOOP; i++) {
            addDeadline(1, "tick");
            stepped.waitingTurn();
        }
        assertEquals(1, selectors.opened());
        assertFalse(ran.isEmpty());
    }

    @Test
    void shouldContinueWithTheNewSelectorEvenIfTheOldOneFailsToClose() {
        try (CapturedLog log = CapturedLog.start()) {
            loop.rebuildSelector();
            selectors.breakClose(true);
            stepped.waitingTurn();
            selectors.breakClose(false);
            stepped.waitingTurn();
            assertEquals(2, selectors.opened());
            assertEquals(List.of(0L), waits);
            log.awaitMessage(m -> m.cause() instanceof IllegalStateException);
        }
    }

    @Test
    void shouldRetryClosingAChannelUntilThereIsMemory() {
        StarvedChannel channel = new StarvedChannel(3);
        try (CapturedLog log = CapturedLog.start()) {
            stepped.onLoop(() -> loop.onChannelFailed(channel, new OutOfMemoryError("thrown on purpose")));
            addDeadline(60_000, "late");
            for (int i = 0; i < 6; i++) {
                stepped.waitingTurn();
            }
            assertEquals(3, channel.closes, "closed at the third attempt, and not again");
            assertEquals(List.of(10L, 10L, 10L, 59_970L), waits.subList(0, 4), "short waits between the attempts");
            log.awaitMessage(m -> m.cause() instanceof OutOfMemoryError);
        }
    }

    @Test
    void shouldCloseAChannelAtTheEndIfItsCloseRequestRanOutOfMemory() {
        StarvedChannel channel = new StarvedChannel(2);
        try (CapturedLog log = CapturedLog.start()) {
            stepped.onLoop(() -> loop.onCloseAsked(channel, null));
            stepped.turn();
            assertEquals(2, channel.closes);
            log.awaitMessage(m -> m.text().equals("failed to close a channel"));
        }
    }

    @Test
    void shouldCloseAllOfManyChannelsThatBreakTogether() {
        List<StarvedChannel> channels = new ArrayList<>();
        try (CapturedLog log = CapturedLog.start()) {
            stepped.onLoop(() -> {
                for (int i = 0; i < 1_000; i++) {
                    StarvedChannel channel = new StarvedChannel(2);
                    channels.add(channel);
                    loop.onOpened(channel);
                    loop.onChannelFailed(channel, new OutOfMemoryError("thrown on purpose"));
                }
            });
            for (int i = 0; i < 1_001; i++) {
                stepped.waitingTurn();
            }
            assertTrue(channels.stream().allMatch(channel -> channel.closes >= 2), "all are closed");
            assertFalse(log.messages().isEmpty());
        }
    }

    /** A channel that cannot report its failure, and can only be closed at the n-th attempt. */
    private static final class StarvedChannel implements LoopChannel.ClosableChannel {
        private final int attempts;
        private int closes;

        StarvedChannel(int attempts) {
            this.attempts = attempts;
        }

        @Override
        public void onFailed(Throwable cause) {
            throw new OutOfMemoryError("thrown on purpose");
        }

        @Override
        public void onClose(ChannelFuture future) {
            onLoopStopping();
        }

        @Override
        public void onLoopStopping() {
            if (++closes < attempts) {
                throw new OutOfMemoryError("thrown on purpose");
            }
        }

        @Override
        public void onKeyChanged(SelectionKey key) {}
    }

    @Test
    void shouldContinueAfterATaskThatThrows() {
        try (CapturedLog log = CapturedLog.start()) {
            loop.submit(() -> {
                throw new IllegalStateException("thrown on purpose");
            });
            loop.submit(() -> ran.add("next"));
            stepped.turn();
            assertEquals(List.of("next"), ran);
            log.awaitMessage(m -> m.cause() instanceof IllegalStateException);
        }
    }

    @Test
    void shouldReplaceASelectorWhoseWaitsKeepFailingAndRunTasksMeanwhile() {
        selectors.failWaits(true);
        loop.submit(() -> ran.add("task"));
        try (CapturedLog log = CapturedLog.start()) {
            stepped.waitingTurn();
            assertEquals(List.of("task"), ran);
            assertEquals(2, selectors.opened());
            assertTrue(log.messages().stream().anyMatch(m -> m.text().contains("selector")));
        }
    }

    /** Without a working selector the loop would iterate as fast as it can. */
    @Test
    void shouldPauseBetweenTheFailuresOfOneSelectorAfterAnother() {
        selectors.failWaits(true);
        List<Long> pauses = new ArrayList<>();
        loop.selector().pauseWith(pauses::add);
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 5; i++) {
                stepped.waitingTurn();
            }
            assertEquals(4, pauses.size(), () -> "" + log.messages());
        }
        selectors.failWaits(false);
        stepped.waitingTurn();
        stepped.waitingTurn();
        assertEquals(4, pauses.size());
    }

    @Test
    void shouldStopEvenIfEachWaitFails() {
        selectors.failWaits(true);
        loop.selector().pauseWith(nanos -> {});
        loop.requestStop();
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 10 && loop.isRunning(); i++) {
                stepped.waitingTurn();
            }
            assertFalse(loop.isRunning(), () -> "" + log.messages());
        }
    }

    @Test
    void shouldTerminateEvenIfATaskResubmitsItself() {
        int bound = 1_000_000;
        int[] runs = new int[1];
        List<Boolean> accepted = new ArrayList<>();
        Runnable[] again = new Runnable[1];
        again[0] = () -> {
            runs[0]++;
            boolean isAccepted = runs[0] < bound && loop.submit(again[0]);
            if (!isAccepted) {
                accepted.add(runs[0] == bound);
            }
        };
        loop.submit(again[0]);
        loop.submit(() -> ran.add("submitted before"));
        stepped.close();
        assertEquals(List.of("submitted before"), ran);
        assertEquals(List.of(false), accepted, "refused before it had run " + bound + " times");
    }
}
