package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which failures count as unobserved, and what is logged about them. */
class UnobservedFailuresTest {
    private static final long MINUTE = 60_000_000_000L;

    /** A cause that no other test uses. */
    private static final class Unlikely extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Unlikely cause = new Unlikely();
    private final List<Throwable> told = new ArrayList<>();
    private long nowNanos;

    @BeforeEach
    void listen() {
        UnobservedFailures.setListener((channel, failure) -> {
            if (failure == cause) { // not that of another test's thread
                told.add(failure);
            }
        });
    }

    @AfterEach
    void stopListening() {
        UnobservedFailures.setListener(null);
    }

    private static long counted() {
        return UnobservedFailures.getCounts().getOrDefault(Unlikely.class.getName(), 0L);
    }

    @Test
    void shouldCountAFailureThatIsNeverObserved() {
        long before = counted();
        new DefaultChannelFuture(null, false).setFailure(cause);
        new DefaultChannelFuture(null, true).setFailure(cause);
        assertEquals(List.of(cause, cause), told);
        assertEquals(before + 2, counted());
    }

    @Test
    void shouldNotCountFailuresThatAListenerSees() {
        DefaultChannelFuture future = new DefaultChannelFuture(null, false);
        future.addListener(done -> {});
        future.setFailure(cause);
        DefaultChannelFuture cancellable = new DefaultChannelFuture(null, true);
        cancellable.addListener(done -> {});
        cancellable.setFailure(cause);
        DefaultChannelFuture viewed = new DefaultChannelFuture(null, false);
        viewed.toCompletableFuture();
        viewed.setFailure(cause);
        assertEquals(List.of(), told);
    }

    @Test
    void shouldNotCountFailuresThatAThreadAwaits() {
        DefaultChannelFuture future = new DefaultChannelFuture(null, false);
        Thread waiter = new Thread(future::awaitUninterruptibly);
        waiter.start();
        Await.until(() -> waiter.getState() == Thread.State.WAITING, "a thread that waits");
        future.setFailure(cause);
        Await.end(waiter);
        assertEquals(List.of(), told);
    }

    @Test
    void shouldCountAFailureThatAThreadNoLongerAwaits() {
        DefaultChannelFuture future = new DefaultChannelFuture(null, false);
        assertFalse(future.awaitUninterruptibly(1));
        future.setFailure(cause);
        assertEquals(List.of(cause), told);
    }

    @Test
    void shouldNotCountSuccessOrCancellation() {
        DefaultChannelFuture future = new DefaultChannelFuture(null, true);
        future.cancel();
        new DefaultChannelFuture(null, false).setSuccess();
        assertNull(future.getCause());
        assertEquals(List.of(), told);
    }

    @Test
    void shouldLogOneLineAMinuteWithTheCountSince() {
        UnobservedFailures failures = new UnobservedFailures(() -> nowNanos, true);
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 1000; i++) {
                failures.onFailed(null, cause);
            }
            nowNanos += MINUTE;
            failures.onFailed(null, cause);
            List<CapturedLog.Message> warnings = log.messages(InternalLogLevel.WARN);
            assertEquals(2, warnings.size(), warnings::toString);
            assertTrue(warnings.get(0).text().contains("message: 1; the latest"), warnings::toString);
            assertTrue(warnings.get(1).text().contains("message: 1000; the latest"), warnings::toString);
            assertTrue(warnings.get(1).text().contains("Unlikely (1001 in total)"), warnings::toString);
            assertEquals(cause, warnings.get(1).cause());
        }
    }

    @Test
    void shouldNotWarnAboutBrokenConnections() {
        UnobservedFailures failures = new UnobservedFailures(() -> nowNanos, true);
        try (CapturedLog log = CapturedLog.start()) {
            failures.onFailed(null, new IOException("Broken pipe"));
            failures.onFailed(null, new ClosedChannelException());
            failures.onFailed(null, new RejectedExecutionException("shut down"));
            assertEquals(List.of(), log.messages(InternalLogLevel.WARN));
        }
        assertEquals(
                Map.of(
                        IOException.class.getName(), 1L,
                        ClosedChannelException.class.getName(), 1L,
                        RejectedExecutionException.class.getName(), 1L),
                failures.counts());
    }

    @Test
    void shouldNameOnlyTheCausesCoveredByTheWarning() {
        UnobservedFailures failures = new UnobservedFailures(() -> nowNanos, true);
        try (CapturedLog log = CapturedLog.start()) {
            failures.onFailed(null, new IOException("Broken pipe"));
            failures.onFailed(null, new IOException("Broken pipe"));
            failures.onFailed(null, cause);
            String text = log.messages(InternalLogLevel.WARN).get(0).text();
            assertTrue(text.contains("the latest on null: " + cause), text);
            assertTrue(text.contains("Unlikely (1 in total)"), text);
        }
    }

    @Test
    void shouldNameTheMostFrequentCause() {
        Exception another = new IllegalStateException();
        for (List<Exception> order : List.of(List.of(cause, another), List.of(another, cause))) {
            UnobservedFailures failures = new UnobservedFailures(() -> nowNanos, true);
            try (CapturedLog log = CapturedLog.start()) {
                failures.onFailed(null, order.get(0));
                failures.onFailed(null, order.get(1));
                failures.onFailed(null, order.get(1));
                nowNanos += MINUTE;
                failures.onFailed(null, order.get(1));
                String text = log.messages(InternalLogLevel.WARN).get(1).text();
                assertTrue(text.contains(order.get(1).getClass().getName() + " (3 in total)"), text);
            }
        }
    }

    @Test
    void shouldLogNothingWhenSwitchedOff() {
        UnobservedFailures failures = new UnobservedFailures(() -> nowNanos, false);
        try (CapturedLog log = CapturedLog.start()) {
            failures.onFailed(null, cause);
            assertEquals(List.of(), log.messages(InternalLogLevel.WARN));
        }
        assertEquals(Map.of(Unlikely.class.getName(), 1L), failures.counts());
    }

    @Test
    void shouldCompleteTheFutureEvenIfAListenerThrows() {
        UnobservedFailures failures = new UnobservedFailures(() -> nowNanos, true);
        failures.setOwnListener((channel, failure) -> {
            throw new IllegalStateException("thrown on purpose");
        });
        try (CapturedLog log = CapturedLog.start()) {
            failures.onFailed(null, cause);
            assertEquals(1, log.messages(InternalLogLevel.WARN).size());
        }
    }
}
