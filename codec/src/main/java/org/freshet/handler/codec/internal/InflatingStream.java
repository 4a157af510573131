package org.freshet.handler.codec.internal;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.internal.InflateException.Reason;
import org.freshet.internal.lending.Lending;

/**
 * Inflates one stream in pieces of up to 64 KiB, so the output is never in memory as a whole.
 *
 * <pre>{@code
 * void onInput(ChannelHandlerContext ctx, ChannelBuffer received) {
 *     stream.feed(received);
 *     for (ChannelBuffer piece = stream.next(factory); piece != null; piece = stream.next(factory)) {
 *         Channels.fireMessageReceived(ctx, piece); // or stop while reading is suspended, and call next() later
 *     }
 * }
 *
 * void onEnd(ChannelHandlerContext ctx) {
 *     stream.complete();
 *     ChannelBuffer rest = stream.takeRest(); // what followed the stream
 * }
 * }</pre>
 *
 * <p>All output before a failure is returned before the failure is thrown, however the input is cut. The outputs of
 * consecutive gzip members are joined.
 *
 * <pre>
 *            +-------------------------- gzip: another member --------------------------+
 *            v                                                                          |
 * START --&gt; HEADER --&gt; BODY --&gt; TRAILER --&gt; BETWEEN --------------------------&gt; ENDED
 *   |                    ^  \        (gzip)    (gzip)     gzip: something else      ^
 *   +---- zlib, raw -----+   +------------------ zlib, raw -------------------------+
 *
 * any --&gt; FAILED, where input is discarded
 * </pre>
 *
 * <p>Belongs to one decoder, and to the thread that runs it. Holds native memory until it ends, fails, or is completed
 * or abandoned. Always call {@link #complete} or {@link #abandon}.
 */
public final class InflatingStream {
    /** The format around the deflated data. */
    public enum Format {
        /** RFC 1950. */
        ZLIB,
        /** RFC 1952, one member or several. */
        GZIP,
        /** RFC 1951, without a wrapper. */
        RAW,
        /** Decided by the first two bytes: HTTP's "deflate" can be either. */
        ZLIB_OR_RAW
    }

    private enum State {
        START,
        HEADER,
        BODY,
        TRAILER,
        BETWEEN,
        ENDED,
        FAILED
    }

    private static final int MAX_PIECE_BYTES = 1 << 16;
    private static final int MIN_PIECE_BYTES = 512;

    /** The usual growth of deflated text. Only a guess for the size of the first piece. */
    private static final int USUAL_RATIO = 4;

    private static final int GZIP_ID1 = 0x1F;
    private static final int GZIP_ID2 = 0x8B;
    private static final int GZIP_TRAILER_BYTES = 8;
    private static final int ZLIB_HEADER_BYTES = 2;

    private final Format format;
    private final byte[] dictionary;
    private final InflateLimits limits;

    private State state = State.START;

    /** Null before the first body. */
    private Inflater inflater;

    private boolean inflatesRaw;

    /** The input not yet inflated, including bytes from earlier reads; its reader index follows the inflater. */
    private ChannelBuffer input = ChannelBuffers.EMPTY_BUFFER;

    /** The total of all members. */
    private long outputBytes;

    /** The total of the bodies before the current one. */
    private long formerInputBytes;

    /** Thrown after the output that precedes it. */
    private InflateException failure;

    /** Whether the inflater has produced all the output it can from its input. */
    private boolean drained;

    // The current gzip member.
    private GzipHeader header = new GzipHeader();
    private final CRC32 checksum = new CRC32();
    private long memberBytes;

    /** @param dictionary for zlib streams that need one; may be null. Not copied. */
    public InflatingStream(Format format, byte[] dictionary, InflateLimits limits) {
        this.format = format;
        this.dictionary = dictionary;
        this.limits = limits;
    }

    /**
     * Returns whether the input may end here because nothing is missing. With gzip, another member may still follow.
     */
    public boolean isComplete() {
        return state == State.ENDED || state == State.BETWEEN && !input.readable();
    }

    /** Returns whether the stream has begun and something is missing. */
    public boolean isTruncated() {
        return switch (state) {
            case START -> input.readable();
            case HEADER -> !header.isUntouched();
            case BODY, TRAILER -> true;
            default -> false;
        };
    }

    /** Returns whether the end was reached: anything that follows is not part of this stream. */
    public boolean isEnded() {
        return state == State.ENDED;
    }

    /**
     * Adds input. The caller must not change it afterwards; its reader index does not move. If the input is lent, call
     * {@link #keepInput} before the loan ends.
     */
    public void feed(ChannelBuffer more) {
        input = input.readable() ? ChannelBuffers.copiedBuffer(input, more) : more.duplicate();
    }

    /** Copies the rest of the input if it is lent. */
    public void keepInput() {
        ChannelBuffer own = Lending.owned(input);
        if (own != input) {
            input = own;
            if (state == State.BODY && !inflater.needsInput()) {
                inflater.setInput(input.toByteBuffer());
            }
        }
    }

    /**
     * Continues inflating.
     *
     * @return the next piece of output, or null if more input is needed
     * @throws InflateException if the stream is corrupt or too large; from then on, input is discarded
     */
    public ChannelBuffer next(ChannelBufferFactory factory) {
        try {
            while (state == State.BODY || advance()) {
                if (state == State.BODY) {
                    ChannelBuffer piece = inflate(factory);
                    if (piece != null || state == State.BODY) {
                        return piece;
                    }
                }
            }
            return null;
        } catch (InflateException e) {
            fail();
            throw e;
        }
    }

    private void fail() {
        state = State.FAILED;
        input = ChannelBuffers.EMPTY_BUFFER;
        end();
    }

    /** Returns, once, the input that followed the stream; empty before the end of the stream. */
    public ChannelBuffer takeRest() {
        ChannelBuffer rest = state == State.ENDED ? input : ChannelBuffers.EMPTY_BUFFER;
        if (state == State.ENDED) {
            input = ChannelBuffers.EMPTY_BUFFER;
        }
        return rest;
    }

    /**
     * Ends the input and releases native memory. A last byte that could have begun another gzip member does not count
     * as one.
     *
     * @throws InflateException if something is missing
     */
    public void complete() {
        if (isTruncated()) {
            fail();
            throw new InflateException(Reason.TRUNCATED, "compressed stream is truncated");
        }
        if (state == State.BETWEEN) {
            state = State.ENDED;
        }
        end();
    }

    /** Releases native memory; nothing more is inflated. */
    public void abandon() {
        if (state != State.ENDED) {
            fail();
        }
    }

    private void end() {
        if (inflater != null) {
            CoderPool.give(inflater, inflatesRaw);
            inflater = null;
        }
    }

    // ---- states: each method returns whether to continue ----

    private boolean advance() {
        return switch (state) {
            case START -> start();
            case HEADER -> readHeader();
            case TRAILER -> checkTrailer();
            case BETWEEN -> findMember();
            case BODY, ENDED -> false;
            case FAILED -> {
                input = ChannelBuffers.EMPTY_BUFFER;
                yield false;
            }
        };
    }

    private boolean start() {
        if (format == Format.GZIP) {
            state = State.HEADER;
            return true;
        }
        if (format == Format.ZLIB_OR_RAW && input.readableBytes() < ZLIB_HEADER_BYTES) {
            return false;
        }
        if (!input.readable()) {
            return false;
        }
        enterBody(format == Format.RAW || format == Format.ZLIB_OR_RAW && !looksLikeZlib());
        return true;
    }

    /** RFC 1950: deflate with a window of up to 32 KiB, and check bits that make both bytes a multiple of 31. */
    private boolean looksLikeZlib() {
        int first = input.getUnsignedByte(input.readerIndex());
        int second = input.getUnsignedByte(input.readerIndex() + 1);
        return (first & 0x0F) == 8 && first >> 4 <= 7 && (first << 8 | second) % 31 == 0;
    }

    private boolean readHeader() {
        if (!header.read(input)) {
            return false;
        }
        header = new GzipHeader();
        enterBody(true);
        return true;
    }

    private void enterBody(boolean raw) {
        if (inflater == null) {
            inflater = CoderPool.takeInflater(raw);
            inflatesRaw = raw;
        } else {
            formerInputBytes += inflater.getBytesRead();
            inflater.reset();
        }
        checksum.reset();
        memberBytes = 0;
        state = State.BODY;
    }

    private void leaveBody() {
        if (format == Format.GZIP) {
            state = State.TRAILER;
        } else {
            state = State.ENDED;
            end();
        }
    }

    private boolean checkTrailer() {
        if (input.readableBytes() < GZIP_TRAILER_BYTES) {
            return false;
        }
        checkTrailer("checksum", (int) checksum.getValue(), readLittleEndian());
        checkTrailer("length", (int) memberBytes, readLittleEndian());
        state = State.BETWEEN;
        return true;
    }

    private static void checkTrailer(String what, int expected, int actual) {
        if (expected != actual) {
            throw new InflateException(
                    Reason.CORRUPT,
                    "gzip " + what + " is not " + Integer.toUnsignedString(expected) + ": "
                            + Integer.toUnsignedString(actual));
        }
    }

    private int readLittleEndian() {
        return input.readUnsignedByte()
                | input.readUnsignedByte() << 8
                | input.readUnsignedByte() << 16
                | input.readUnsignedByte() << 24;
    }

    private boolean findMember() {
        if (!input.readable()) {
            return false;
        }
        int start = input.readerIndex();
        boolean mayBeMember = input.getUnsignedByte(start) == GZIP_ID1;
        if (mayBeMember && input.readableBytes() < 2) {
            return false;
        }
        if (mayBeMember && input.getUnsignedByte(start + 1) == GZIP_ID2) {
            state = State.HEADER;
        } else {
            state = State.ENDED;
            end();
        }
        return true;
    }

    // ---- the body ----

    /** Returns null if it needs more input, or at the end of the body. */
    private ChannelBuffer inflate(ChannelBufferFactory factory) {
        while (true) {
            if (failure != null) {
                throw failure;
            }
            if (inflater.finished()) {
                leaveBody();
                return null;
            }
            if (inflater.needsDictionary()) {
                setDictionary();
            }
            if (inflater.needsInput() && !refill()) {
                return null;
            }
            byte[] piece = new byte[pieceBytes()];
            int length = inflateInto(piece);
            drained = length < piece.length;
            if (length > 0) {
                return output(piece, length, factory);
            }
        }
    }

    /** Returns whether it makes sense to continue. */
    private boolean refill() {
        if (input.readable()) {
            inflater.setInput(input.toByteBuffer());
            return true;
        }
        return !drained;
    }

    private int pieceBytes() {
        long guess = Math.min(MAX_PIECE_BYTES, Math.max(MIN_PIECE_BYTES, (long) input.readableBytes() * USUAL_RATIO));
        if (limits.limitsRatio()) {
            guess = Math.min(guess, MAX_PIECE_BYTES - outputBytes % MAX_PIECE_BYTES);
        }
        // At the limit, ask for one more byte to see whether the stream continues.
        return (int) Math.min(guess, Math.max(1, limits.maxOutputBytes() - outputBytes));
    }

    /** Delivers the output before a failure first, however the input was cut. */
    private int inflateInto(byte[] piece) {
        long before = inflater.getBytesWritten();
        try {
            inflater.inflate(piece);
        } catch (DataFormatException e) {
            failure = new InflateException(Reason.CORRUPT, "corrupt deflated data: " + e.getMessage(), e);
        }
        input.readerIndex(input.writerIndex() - inflater.getRemaining());
        return (int) (inflater.getBytesWritten() - before);
    }

    private ChannelBuffer output(byte[] piece, int length, ChannelBufferFactory factory) {
        if (outputBytes == limits.maxOutputBytes()) {
            throw new InflateException(Reason.TOO_LARGE, "inflated bytes > " + limits.maxOutputBytes());
        }
        outputBytes += length;
        memberBytes += length;
        checkRatio();
        checksum.update(piece, 0, length);
        byte[] fitting = length < piece.length / 2 ? Arrays.copyOf(piece, length) : piece;
        return factory.getBuffer(fitting, 0, length);
    }

    /**
     * Checks only at multiples of a piece, so the result does not depend on how the input is cut. The output up to
     * there is still delivered.
     */
    private void checkRatio() {
        if (outputBytes % MAX_PIECE_BYTES == 0
                && limits.exceedsRatio(outputBytes, formerInputBytes + inflater.getBytesRead())) {
            failure = new InflateException(
                    Reason.TOO_LARGE,
                    "inflated bytes > " + limits.maxRatio() + " times the deflated ones: " + outputBytes);
        }
    }

    private void setDictionary() {
        if (dictionary == null) {
            throw new InflateException(Reason.DICTIONARY, "stream needs a dictionary, but none was given");
        }
        try {
            inflater.setDictionary(dictionary);
        } catch (IllegalArgumentException e) {
            throw new InflateException(
                    Reason.DICTIONARY,
                    "stream needs a different dictionary, with Adler-32 checksum "
                            + Integer.toUnsignedString(inflater.getAdler()));
        }
    }
}
