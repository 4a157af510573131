package org.freshet.handler.codec.http2;

import java.util.function.LongSupplier;
import org.freshet.handler.codec.http2.Http2AbuseLimits.Rate;
import org.freshet.internal.time.TokenBucket;

/**
 * Limits frames that are legal one by one but an attack in volume. Beyond a limit the connection ends with ENHANCE_YOUR_CALM
 * and a message that names the limit. Users set the rates with {@link Http2AbuseLimits}; the bounds on memory are fixed:
 *
 * <table> <caption>Bounds of a connection</caption>
 * <tr><td>unread frames that answer or refuse</td><td>64 KiB, or 32 octets per stream that may be open</td></tr>
 * <tr><td>SETTINGS</td><td>32 per frame</td></tr>
 * <tr><td>CONTINUATION</td><td>8 per block, none empty; 64 KiB per block</td></tr>
 * <tr><td>fields of all open requests, with 32 octets each</td><td>1 MiB or one request's limit, less if other connections hold
 * much ({@link OpenFields}); further requests are refused</td></tr>
 * </table>
 *
 * <p>Belongs to its connection's thread.
 */
final class AbuseGuard {
    static final int MAX_CONTINUATIONS = 8;
    static final int MAX_FIELD_BLOCK = 64 * 1024;
    static final int MAX_OPEN_FIELDS = 1 << 20;
    static final int MAX_SETTINGS_PER_FRAME = 32;
    static final int MAX_UNSENT_CONTROL = 64 * 1024;

    /** An RST_STREAM frame has 13 octets. */
    private static final int UNSENT_CONTROL_PER_STREAM = 32;

    /** For each DATA frame we send, the peer may update two windows, and once more per this many octets. */
    private static final int OCTETS_PER_UPDATE = 256;

    /** A stream may be gone when its trailers or its reset arrive. */
    private static final int LATE_FRAMES_PER_STREAM = 2;

    /** The length of a period in bits of nanoseconds: 2^20 ns, about a millisecond. */
    private static final int PERIOD_BITS = 20;

    /** About a second, in periods. */
    private static final int RAPID_PERIODS = 954;

    /** A rate limit, and a name for what it limits. */
    private final class Budget {
        private final Rate rate;
        private final String what;
        private final TokenBucket bucket;

        Budget(Rate rate, String what) {
            this.rate = rate;
            this.what = what;
            bucket = new TokenBucket(rate.burst(), rate.perSecond(), nanoTime);
        }

        void take() throws Http2Exception {
            if (!bucket.take()) {
                throw calm("too many " + what + ": the limit is a burst of " + rate.burst() + " and " + rate.perSecond()
                        + " per second");
            }
        }
    }

    private final LongSupplier nanoTime;
    private final Budget resets;
    private final Budget pings;
    private final Budget settings;
    private final Budget priorities;
    private final Budget emptyFrames;
    private final long maxUnsentControl;

    // Frames that the protocol makes the peer send: they don't use a budget.
    private long expectedUpdates;
    private long expectedLateFrames;

    /** Whether DATA was sent since the last PING: gRPC measures the round trip with one PING after DATA. */
    private boolean isPingExpected;

    /** @param maxStreams the most streams the peer may have open at a time */
    AbuseGuard(LongSupplier nanoTime, Http2AbuseLimits limits, int maxStreams) {
        maxUnsentControl = Math.max(MAX_UNSENT_CONTROL, (long) UNSENT_CONTROL_PER_STREAM * maxStreams);
        this.nanoTime = nanoTime;
        resets = new Budget(limits.resets(), "requests reset early or refused");
        pings = new Budget(limits.pings(), "PING frames");
        settings = new Budget(limits.settings(), "SETTINGS frames");
        priorities = new Budget(limits.priorities(), "PRIORITY and PRIORITY_UPDATE frames");
        emptyFrames = new Budget(limits.emptyFrames(), "frames that carry nothing");
    }

    /** The time in periods of about a millisecond, from an arbitrary origin. Differences are correct for up to three weeks. */
    int period() {
        return (int) (nanoTime.getAsLong() >>> PERIOD_BITS);
    }

    /** @param isLast whether this frame ends the block */
    void onFieldBlock(int blockLength, int continuations, int frameLength, boolean isLast) throws Http2Exception {
        if (continuations > MAX_CONTINUATIONS) {
            throw calm("more than " + MAX_CONTINUATIONS + " CONTINUATION frames in a field block");
        }
        if (blockLength > MAX_FIELD_BLOCK) {
            throw calm("field block of more than " + MAX_FIELD_BLOCK + " octets");
        }
        if (continuations > 0 && frameLength == 0 && !isLast) {
            throw calm("empty CONTINUATION frame");
        }
    }

    void onData(int length, boolean endsStream) throws Http2Exception {
        if (length == 0 && !endsStream) {
            emptyFrames.take();
        }
    }

    void onUnknownFrame() throws Http2Exception {
        emptyFrames.take();
    }

    void onGoAway() throws Http2Exception {
        emptyFrames.take();
    }

    void onWindowUpdate() throws Http2Exception {
        if (expectedUpdates > 0) {
            expectedUpdates--;
        } else {
            emptyFrames.take();
        }
    }

    /** The peer will update two windows, in as many steps as it reads, and may measure the round trip. */
    void onDataSent(int octets) {
        expectedUpdates += 2 + octets / OCTETS_PER_UPDATE;
        isPingExpected = true;
    }

    /** An acknowledgement of something that was never sent. */
    void onUnexpectedAck() throws Http2Exception {
        emptyFrames.take();
    }

    void onStreamOpened() {
        expectedLateFrames += LATE_FRAMES_PER_STREAM;
    }

    /** A frame on a stream that is gone. Not used for DATA, which windows bound. */
    void onLateFrame() throws Http2Exception {
        if (expectedLateFrames > 0) {
            expectedLateFrames--;
        } else {
            emptyFrames.take();
        }
    }

    void onSettings(int count) throws Http2Exception {
        if (count > MAX_SETTINGS_PER_FRAME) {
            throw calm("more than " + MAX_SETTINGS_PER_FRAME + " settings in a frame");
        }
        settings.take();
    }

    void onPing() throws Http2Exception {
        if (isPingExpected) {
            isPingExpected = false;
        } else {
            pings.take();
        }
    }

    void onPriority() throws Http2Exception {
        priorities.take();
    }

    /** @param unsent octets of frames that the peer has provoked and that are unsent because it doesn't read */
    void onControlQueued(long unsent) throws Http2Exception {
        if (unsent > maxUnsentControl) {
            throw calm("the peer does not read its answers: more than " + maxUnsentControl + " octets are waiting");
        }
    }

    /** The peer has reset a stream that it opened in the given {@link #period}. */
    void onResetByPeer(int openedAt) throws Http2Exception {
        if (period() - openedAt < RAPID_PERIODS) {
            resets.take();
        }
    }

    /** We reset a stream because of something the peer did. */
    void onResetProvoked() throws Http2Exception {
        resets.take();
    }

    private static Http2Exception calm(String what) {
        return new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, what);
    }
}
