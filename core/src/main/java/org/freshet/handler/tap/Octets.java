package org.freshet.handler.tap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in arrays, in network byte order unless it says otherwise. Without the checks of a ByteBuffer for each of them. Stateless; any thread. */
final class Octets {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = ONES << 7;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle LONG_LITTLE_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Octets() {}

    static void putShort(byte[] bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    static int getInt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static void putInt(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    /** Puts two ints, one after the other. */
    static void putInts(byte[] bytes, int at, int first, int second) {
        putLong(bytes, at, (long) first << Integer.SIZE | second & 0xffff_ffffL);
    }

    static long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static void putLong(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    /** Returns eight times the same byte, to be found by {@link #indexOf}. */
    static long eightOf(char octet) {
        return ONES * octet;
    }

    /** Returns the index of the first byte equal to one that is given as {@link #eightOf}; {@code to} if no byte is. */
    static int indexOf(long eight, byte[] bytes, int from, int to) {
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long differences = (long) LONG_LITTLE_ENDIAN.get(bytes, at) ^ eight;
            long zeros = differences - ONES & ~differences & HIGH_BITS; // the lowest is exact
            if (zeros != 0) {
                return at + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
            }
        }
        while (at < to && bytes[at] != (byte) eight) {
            at++;
        }
        return at;
    }
}
