package org.freshet.handler.codec.http2;

import java.util.function.LongSupplier;

/**
 * What a peer may do that is legal, frame by frame, and an attack in quantity. Beyond a bound the connection ends with
 * ENHANCE_YOUR_CALM and a message that names the bound.
 *
 * <table>
 * <caption>Bounds of a connection</caption>
 * <tr><td>resets by the peer within a second of the request, and requests refused</td><td>200, and 20 a second</td></tr>
 * <tr><td>PING and SETTINGS</td><td>100, and 20 a second; 32 settings a frame; 64 answers that were not sent</td></tr>
 * <tr><td>CONTINUATION</td><td>8 a block, none empty; 64 KiB a block</td></tr>
 * <tr><td>fields of all open requests, with 32 octets for each</td><td>1 MiB or one request's limit; further requests are refused</td></tr>
 * <tr><td>DATA without content that does not end a stream</td><td>10 in a row</td></tr>
 * <tr><td>small DATA</td><td>each costs what it is short of 256 octets, or of a quarter of the window that the peer is given, if that
 * is less, of 25,600; large ones give back</td></tr>
 * <tr><td>PRIORITY and PRIORITY_UPDATE</td><td>2,000, and 1,000 a second</td></tr>
 * </table>
 *
 * <p>Belongs to the thread of its connection.
 */
final class AbuseGuard {
    static final int MAX_CONTINUATIONS = 8;
    static final int MAX_FIELD_BLOCK = 64 * 1024;
    static final int MAX_OPEN_FIELDS = 1 << 20;
    static final int MAX_SETTINGS_A_FRAME = 32;
    static final int MAX_EMPTY_DATA = 10;
    static final int MAX_UNSENT_ANSWERS = 64;
    private static final int SMALL_DATA = 256;
    private static final int SMALL_DATA_BUDGET = 25_600;
    private static final long RAPID_NANOS = 1_000_000_000L;

    /** So many at once, and so many more each second. */
    private final class Bucket {
        private final int capacity;
        private final int perSecond;
        private final String what;
        private double tokens;
        private long filledAtNanos = nanoTime.getAsLong();

        Bucket(int capacity, int perSecond, String what) {
            this.capacity = capacity;
            this.perSecond = perSecond;
            this.what = what;
            tokens = capacity;
        }

        void take() throws Http2Exception {
            if (tokens < 1) {
                refill();
            }
            if (--tokens < 0) {
                throw calm("more than " + capacity + ", and " + perSecond + " a second, of " + what);
            }
        }

        private void refill() {
            long now = nanoTime.getAsLong();
            tokens = Math.min(capacity, tokens + (now - filledAtNanos) / 1e9 * perSecond);
            filledAtNanos = now;
        }
    }

    private final LongSupplier nanoTime;

    /** Octets below which a frame is small. A small window makes the peer send small frames. */
    private final int smallData;

    private final Bucket resets;
    private final Bucket controls;
    private final Bucket priorities;
    private int smallDataBudget = SMALL_DATA_BUDGET;
    private int emptyDataInARow;

    /**
     * @param windowSize what the peer may send on a stream at first
     */
    AbuseGuard(LongSupplier nanoTime, int windowSize) {
        this.nanoTime = nanoTime;
        smallData = Math.min(SMALL_DATA, windowSize / 4);
        resets = new Bucket(200, 20, "requests that are reset at once or refused");
        controls = new Bucket(100, 20, "PING and SETTINGS");
        priorities = new Bucket(2_000, 1_000, "PRIORITY and PRIORITY_UPDATE");
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** @param isLast whether the block ends with this frame */
    void onFieldBlock(int blockLength, int continuations, int frameLength, boolean isLast) throws Http2Exception {
        if (continuations > MAX_CONTINUATIONS) {
            throw calm("more than " + MAX_CONTINUATIONS + " frames CONTINUATION in a field block");
        }
        if (blockLength > MAX_FIELD_BLOCK) {
            throw calm("a field block of more than " + MAX_FIELD_BLOCK + " octets");
        }
        if (continuations > 0 && frameLength == 0 && !isLast) {
            throw calm("an empty frame CONTINUATION");
        }
    }

    void onData(int length, boolean endsStream) throws Http2Exception {
        if (endsStream) {
            emptyDataInARow = 0;
            return;
        }
        emptyDataInARow = length == 0 ? emptyDataInARow + 1 : 0;
        if (emptyDataInARow > MAX_EMPTY_DATA) {
            throw calm("more than " + MAX_EMPTY_DATA + " empty frames DATA in a row");
        }
        smallDataBudget = Math.min(SMALL_DATA_BUDGET, smallDataBudget - (smallData - length));
        if (smallDataBudget < 0) {
            throw calm("too many small frames DATA: on average less than " + smallData + " octets");
        }
    }

    void onSettings(int count) throws Http2Exception {
        if (count > MAX_SETTINGS_A_FRAME) {
            throw calm("more than " + MAX_SETTINGS_A_FRAME + " settings in a frame");
        }
        controls.take();
    }

    void onPing() throws Http2Exception {
        controls.take();
    }

    void onPriority() throws Http2Exception {
        priorities.take();
    }

    /** @param unsent acknowledgements that wait because the peer does not read */
    void onAnswerQueued(int unsent) throws Http2Exception {
        if (unsent > MAX_UNSENT_ANSWERS) {
            throw calm("more than " + MAX_UNSENT_ANSWERS + " acknowledgements that the peer does not read");
        }
    }

    /** The peer has reset a stream that it opened at that time. */
    void onResetByPeer(long openedAtNanos) throws Http2Exception {
        if (nanoTime.getAsLong() - openedAtNanos < RAPID_NANOS) {
            resets.take();
        }
    }

    /** We reset a stream for what the peer has done. */
    void onResetProvoked() throws Http2Exception {
        resets.take();
    }

    private static Http2Exception calm(String what) {
        return new Http2Exception(Http2Error.ENHANCE_YOUR_CALM, what);
    }
}
