package org.freshet.handler.codec.spdy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.freshet.internal.time.TokenBucket;

/**
 * Limits frames that are legal one by one but an attack in volume. Beyond a limit the session ends. The rates apply to a
 * server's peers only; a client has chosen its server. The frames that the peer can make this side queue are limited on both
 * sides.
 *
 * <p>I/O thread only, except {@link #onAnswerSent}.
 */
final class SpdyAbuseGuard {
    /** Streams that the peer resets within a second of opening them, and streams that this side refuses or resets. */
    static final int MAX_RESETS = 200;

    static final int RESETS_PER_SECOND = 20;

    /**
     * PING, SETTINGS, GOAWAY, empty data and headers, more WINDOW_UPDATE than our data requires, and frames on streams that are
     * over, because the peer might not know that yet.
     */
    static final int MAX_IDLE_FRAMES = 10_000;

    static final int IDLE_FRAMES_PER_SECOND = 1_000;

    /** Answers, of up to 16 bytes each, that the peer does not read. */
    static final int MAX_UNSENT_ANSWERS = 4096;

    /** For each DATA frame we send, the peer may update two windows, and once more per this many bytes. */
    private static final int BYTES_PER_UPDATE = 256;

    private static final long RAPID_NANOS = 1_000_000_000L;

    private final boolean isServer;
    private final LongSupplier nanoTime;
    private final TokenBucket resets;
    private final TokenBucket emptyFrames;

    /** WINDOW_UPDATE frames that the peer may still send for the data we sent. */
    private long expectedUpdates;

    private final AtomicInteger unsentAnswers = new AtomicInteger();

    SpdyAbuseGuard(boolean isServer, LongSupplier nanoTime) {
        this.isServer = isServer;
        this.nanoTime = nanoTime;
        resets = new TokenBucket(MAX_RESETS, RESETS_PER_SECOND, nanoTime);
        emptyFrames = new TokenBucket(MAX_IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, nanoTime);
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** A frame that carries no data and opens no stream. */
    void onIdleFrame() throws SpdyProtocolException {
        if (isServer && !emptyFrames.take()) {
            throw tooMany(MAX_IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, "frames that carry nothing");
        }
    }

    /** The peer will update two windows, in as many steps as it reads. */
    void onDataSent(int bytes) {
        expectedUpdates += 2 + bytes / BYTES_PER_UPDATE;
    }

    void onWindowUpdate() throws SpdyProtocolException {
        if (expectedUpdates > 0) {
            expectedUpdates--;
        } else {
            onIdleFrame();
        }
    }

    /** The peer has reset a stream. */
    void onResetByPeer(SpdyStream stream) throws SpdyProtocolException {
        if (nanoTime() - stream.openedAtNanos < RAPID_NANOS) {
            onReset();
        }
    }

    /** This side resets or refuses a stream because of something the peer sent. */
    void onReset() throws SpdyProtocolException {
        if (isServer && !resets.take()) {
            throw tooMany(MAX_RESETS, RESETS_PER_SECOND, "streams reset early or refused");
        }
    }

    private static SpdyProtocolException tooMany(int burst, int perSecond, String what) {
        return new SpdyProtocolException(
                "too many " + what + ": the limit is a burst of " + burst + " and " + perSecond + " per second");
    }

    /** A frame is written in response to the peer. {@link #onAnswerSent} follows. */
    void onAnswer() {
        unsentAnswers.incrementAndGet();
    }

    /** Any thread. */
    void onAnswerSent() {
        unsentAnswers.decrementAndGet();
    }

    boolean hasTooManyUnsent() {
        return unsentAnswers.get() > MAX_UNSENT_ANSWERS;
    }
}
