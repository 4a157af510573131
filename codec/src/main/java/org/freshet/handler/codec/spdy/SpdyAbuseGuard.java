package org.freshet.handler.codec.spdy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.freshet.internal.handler.TokenBucket;

/**
 * Limits on frames that are legal one by one but an attack in volume. Beyond a limit the session ends. Rates hold for a server's peers; a
 * client has chosen its server. What the peer can make this side queue is limited on both sides.
 *
 * <p>I/O thread only, apart from {@link #onAnswerSent}.
 */
final class SpdyAbuseGuard {
    /** Streams that the peer resets within a second of opening them, and those that this side refuses or resets. */
    static final int MAX_RESETS = 200;

    static final int RESETS_PER_SECOND = 20;

    /**
     * PING and SETTINGS, GOAWAY, empty data and headers, WINDOW_UPDATE beyond what data that was sent asks for, and frames of streams that are
     * over: a peer may not know that yet.
     */
    static final int MAX_IDLE_FRAMES = 10_000;

    static final int IDLE_FRAMES_PER_SECOND = 1_000;

    /** Answers of up to 16 bytes each that the peer does not read. */
    static final int MAX_UNSENT_ANSWERS = 4096;

    /** For each DATA that was sent, the peer may update two windows, and once more for as many bytes as this. */
    private static final int BYTES_PER_UPDATE = 256;

    private static final long RAPID_NANOS = 1_000_000_000L;

    private final boolean isServer;
    private final LongSupplier nanoTime;
    private final TokenBucket resets;
    private final TokenBucket idleFrames;

    /** WINDOW_UPDATE frames that the peer may still send for the data that it was sent. */
    private long expectedUpdates;

    private final AtomicInteger unsentAnswers = new AtomicInteger();

    SpdyAbuseGuard(boolean isServer, LongSupplier nanoTime) {
        this.isServer = isServer;
        this.nanoTime = nanoTime;
        resets = new TokenBucket(MAX_RESETS, RESETS_PER_SECOND, nanoTime);
        idleFrames = new TokenBucket(MAX_IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, nanoTime);
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** A frame that carries no data and opens no stream. */
    void onIdleFrame() throws SpdyProtocolException {
        if (isServer && !idleFrames.take()) {
            throw tooMany(MAX_IDLE_FRAMES, IDLE_FRAMES_PER_SECOND, "frames that carry nothing");
        }
    }

    /** The peer is going to update two windows, in as many pieces as it reads. */
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

    /** This side resets or refuses a stream because of what the peer has sent. */
    void onReset() throws SpdyProtocolException {
        if (isServer && !resets.take()) {
            throw tooMany(MAX_RESETS, RESETS_PER_SECOND, "streams that are reset soon or refused");
        }
    }

    private static SpdyProtocolException tooMany(int atOnce, int perSecond, String what) {
        return new SpdyProtocolException("more than " + atOnce + ", and " + perSecond + " a second, of " + what);
    }

    /** A frame is written because of what the peer has sent; {@link #onAnswerSent} follows. */
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
