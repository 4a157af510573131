package org.freshet.handler.codec.http.websocketx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;

/**
 * Validates UTF-8 text as it arrives, as strictly as RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF. A bad
 * byte is found when it arrives, even in the middle of a character.
 *
 * <p>A state machine whose states are shift distances. Each byte value has one word, and the six bits at a state's distance
 * hold the state that follows. So a step is a load and a shift, without a branch. While no character is open, ASCII is skipped
 * a word at a time.
 *
 * <p>Belongs to one decoder and its thread.
 */
final class Utf8Validator {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;
    private static final int BLOCK_BYTES = 4 * Long.BYTES;

    private static final int STATE_BITS = 6;
    private static final int STATE_MASK = (1 << STATE_BITS) - 1;

    // The states: what may come next.
    private static final int CHARACTER = 0;
    private static final int NOTHING = STATE_BITS;
    private static final int LAST_OF_CHARACTER = 2 * STATE_BITS;
    private static final int SECOND_LAST = 3 * STATE_BITS;
    private static final int THIRD_LAST = 4 * STATE_BITS;
    private static final int AFTER_E0 = 5 * STATE_BITS;
    private static final int AFTER_ED = 6 * STATE_BITS;
    private static final int AFTER_F0 = 7 * STATE_BITS;
    private static final int AFTER_F4 = 8 * STATE_BITS;

    private static final long[] FOLLOWING = new long[256];

    static {
        Arrays.fill(FOLLOWING, everyStateLeadsToNothing());
        allow(CHARACTER, 0x00, 0x7F, CHARACTER);
        allow(CHARACTER, 0xC2, 0xDF, LAST_OF_CHARACTER);
        allow(CHARACTER, 0xE0, 0xE0, AFTER_E0);
        allow(CHARACTER, 0xE1, 0xEF, SECOND_LAST);
        allow(CHARACTER, 0xED, 0xED, AFTER_ED);
        allow(CHARACTER, 0xF0, 0xF0, AFTER_F0);
        allow(CHARACTER, 0xF1, 0xF3, THIRD_LAST);
        allow(CHARACTER, 0xF4, 0xF4, AFTER_F4);
        allow(AFTER_E0, 0xA0, 0xBF, LAST_OF_CHARACTER);
        allow(AFTER_ED, 0x80, 0x9F, LAST_OF_CHARACTER);
        allow(AFTER_F0, 0x90, 0xBF, SECOND_LAST);
        allow(AFTER_F4, 0x80, 0x8F, SECOND_LAST);
        allow(THIRD_LAST, 0x80, 0xBF, SECOND_LAST);
        allow(SECOND_LAST, 0x80, 0xBF, LAST_OF_CHARACTER);
        allow(LAST_OF_CHARACTER, 0x80, 0xBF, CHARACTER);
    }

    private int state = CHARACTER;

    private static long everyStateLeadsToNothing() {
        long word = 0;
        for (int state = CHARACTER; state <= AFTER_F4; state += STATE_BITS) {
            word |= (long) NOTHING << state;
        }
        return word;
    }

    private static void allow(int state, int firstByte, int lastByte, int next) {
        for (int value = firstByte; value <= lastByte; value++) {
            FOLLOWING[value] &= ~((long) STATE_MASK << state);
            FOLLOWING[value] |= (long) next << state;
        }
    }

    /** Whether the text may end here: it is valid so far, and no character is open. */
    boolean isComplete() {
        return state == CHARACTER;
    }

    /**
     * Checks the next piece of the text.
     *
     * @return the index of the first bad byte, or -1 if all are good. After a bad byte every further byte counts as bad
     */
    int findInvalid(byte[] bytes, int from, int length) {
        int to = from + length;
        int at = from;
        int current = state;
        while (at <= to - Long.BYTES) {
            long word = word(bytes, at);
            if (current == CHARACTER && (word & NOT_ASCII) == 0) {
                at = skipAscii(bytes, at + Long.BYTES, to);
                continue;
            }
            int before = current;
            current = afterEight(word, before);
            if (current == NOTHING) {
                state = NOTHING;
                return firstInvalid(bytes, at, before);
            }
            at += Long.BYTES;
        }
        for (; at < to; at++) {
            current = next(bytes[at], current) & STATE_MASK;
            if (current == NOTHING) {
                state = NOTHING;
                return at;
            }
        }
        state = current;
        return -1;
    }

    /** The same for a buffer. Its indexes don't change. */
    int findInvalid(ChannelBuffer buffer, int index, int length) {
        if (buffer.hasArray()) {
            int offset = buffer.arrayOffset();
            int found = findInvalid(buffer.array(), offset + index, length);
            return found < 0 ? -1 : found - offset;
        }
        byte[] bytes = new byte[length];
        buffer.getBytes(index, bytes);
        int found = findInvalid(bytes, 0, length);
        return found < 0 ? -1 : found + index;
    }

    /** Whether bytes of a buffer are a complete text. Its indexes don't change. */
    static boolean isValid(ChannelBuffer buffer, int index, int length) {
        Utf8Validator text = new Utf8Validator();
        text.findInvalid(buffer, index, length); // after a bad byte the text is never complete
        return text.isComplete();
    }

    /** Returns the start of the first word that is not ASCII, or of the remaining bytes if fewer than a word are left. */
    private static int skipAscii(byte[] bytes, int from, int to) {
        int at = from;
        for (; at <= to - BLOCK_BYTES; at += BLOCK_BYTES) {
            long any = word(bytes, at) | word(bytes, at + 8) | word(bytes, at + 16) | word(bytes, at + 24);
            if ((any & NOT_ASCII) != 0) {
                break;
            }
        }
        while (at <= to - Long.BYTES && (word(bytes, at) & NOT_ASCII) == 0) {
            at += Long.BYTES;
        }
        return at;
    }

    private static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    private static int afterEight(long word, int before) {
        int state = before;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            state = next((byte) (word >>> shift), state);
        }
        return state & STATE_MASK;
    }

    /** The bits above the state are garbage: the next shift ignores them. */
    private static int next(byte value, int state) {
        return (int) (FOLLOWING[value & 0xFF] >>> state);
    }

    private static int firstInvalid(byte[] bytes, int from, int before) {
        int state = before;
        for (int at = from; ; at++) {
            state = next(bytes[at], state) & STATE_MASK;
            if (state == NOTHING) {
                return at;
            }
        }
    }
}
