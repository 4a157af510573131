package org.freshet.handler.codec.http2;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Users' PING frames that haven't been acknowledged. Peers answer in order, so an acknowledgement also completes the earlier
 * ones.
 *
 * <p>Belongs to its connection's thread.
 */
final class Pings {
    private record Pending(long data, long sentAtNanos, CompletableFuture<Duration> roundTrip) {}

    /** Distinguishes the payloads of this class from other PINGs of the connection. */
    private static final long FIRST = 0x70696e67_00000000L;

    private final FrameWriter writer;
    private final LongSupplier nanoTime;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>(0);
    private long nextData = FIRST;

    Pings(FrameWriter writer, LongSupplier nanoTime) {
        this.writer = writer;
        this.nanoTime = nanoTime;
    }

    void send(CompletableFuture<Duration> roundTrip) {
        long data = nextData++;
        try {
            pending.add(new Pending(data, nanoTime.getAsLong(), roundTrip));
            writer.writePing(data, false);
        } catch (Throwable notSent) { // out of memory, or a user's clock threw
            roundTrip.completeExceptionally(notSent);
            throw notSent;
        }
    }

    void onAck(long data) {
        if (data >= nextData) {
            return; // none of ours; a smaller number than ours answers none
        }
        long now = nanoTime.getAsLong();
        while (!pending.isEmpty() && pending.peek().data <= data) {
            Pending answered = pending.peek();
            answered.roundTrip.complete(Duration.ofNanos(now - answered.sentAtNanos));
            pending.remove(answered); // last: without memory, failAll() completes it
        }
    }

    /** May be repeated: if memory runs out, the rest stays here. */
    void failAll(Throwable cause) {
        for (Pending each = pending.peek(); each != null; each = pending.peek()) {
            each.roundTrip.completeExceptionally(cause);
            pending.remove(each); // not poll: its completion may have run this
        }
    }
}
