package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** A connection whose end meets an Error ends again after a second. No round trip may be lost in between. */
class PingsTest {
    private static final long FIRST = 0x70696e67_00000000L;

    /** Has no memory for its first completion. */
    private static final class StarvedRoundTrip extends CompletableFuture<Duration> {
        private final Scarcity scarcity = new Scarcity(0);

        @Override
        public boolean complete(Duration value) {
            scarcity.step();
            return super.complete(value);
        }

        @Override
        public boolean completeExceptionally(Throwable cause) {
            scarcity.step();
            return super.completeExceptionally(cause);
        }
    }

    private final Pings pings = new Pings(new FrameWriter(new HpackEncoder()), System::nanoTime);
    private final CompletableFuture<Duration> starved = new StarvedRoundTrip();
    private final CompletableFuture<Duration> other = new CompletableFuture<>();

    private void sendBoth() {
        pings.send(starved);
        pings.send(other);
    }

    @Test
    void shouldFailARoundTripAgainThatHadNoMemory() {
        sendBoth();
        assertThrows(OutOfMemoryError.class, () -> pings.failAll(new IOException()));
        pings.failAll(new IOException());
        assertTrue(starved.isCompletedExceptionally());
        assertTrue(other.isCompletedExceptionally());
    }

    @Test
    void shouldFailARoundTripWhoseAnswerHadNoMemory() {
        sendBoth();
        assertThrows(OutOfMemoryError.class, () -> pings.onAck(FIRST + 1));
        pings.failAll(new IOException());
        assertTrue(starved.isCompletedExceptionally());
        assertTrue(other.isCompletedExceptionally());
    }

    /** A peer that answers what it was not asked must not make a round trip look short. */
    @Test
    void shouldCompleteNothingForAnAnswerToAPingThatWasNotSent() {
        sendBoth();
        pings.onAck(FIRST + 2);
        pings.onAck(FIRST - 1);
        assertFalse(starved.isDone());
        assertFalse(other.isDone());
    }

    @Test
    void shouldCompleteEachPingWithItsOwnAnswer() {
        CompletableFuture<Duration> first = new CompletableFuture<>();
        pings.send(first);
        pings.send(other);
        pings.onAck(FIRST);
        assertTrue(first.isDone());
        assertFalse(other.isDone());
        pings.onAck(FIRST);
        assertFalse(other.isDone());
        pings.onAck(FIRST + 1);
        assertTrue(other.isDone());
    }

    @Test
    void shouldFailAPingThatCannotBeSent() {
        Scarcity scarcity = new Scarcity(0);
        Pings withoutClock = new Pings(new FrameWriter(new HpackEncoder()), () -> {
            scarcity.step();
            return 0;
        });
        Scarcity.survive(() -> withoutClock.send(other));
        assertTrue(other.isCompletedExceptionally());
        CompletableFuture<Duration> next = new CompletableFuture<>();
        withoutClock.send(next);
        assertFalse(next.isDone());
        withoutClock.onAck(FIRST + 1);
        assertTrue(next.isDone());
    }
}
