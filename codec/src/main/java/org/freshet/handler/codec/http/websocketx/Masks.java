package org.freshet.handler.codec.http.websocketx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;

/**
 * Chooses masks (RFC 6455, section 5.3) and applies them eight bytes at a time. Applying a mask twice undoes it.
 *
 * <p>A mask is an int, most significant byte first, as in a frame. If a payload arrives in pieces, call {@link #after} for each
 * further piece. Any thread may call any method.
 */
final class Masks {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long TWICE = 0x1_0000_0001L;

    private static volatile Supply supply = new Supply();

    private Masks() {}

    /** An unpredictable mask, from a cryptographically strong source. */
    static int random() {
        while (true) {
            Supply current = supply;
            int at = current.taken.getAndIncrement();
            if (at < Supply.BYTES / Integer.BYTES) {
                return intAt(current.bytes, at * Integer.BYTES);
            }
            supply = new Supply(); // if several threads race here, all but one supply goes unused
        }
    }

    private static int intAt(byte[] bytes, int index) {
        return (bytes[index] & 0xFF) << 24
                | (bytes[index + 1] & 0xFF) << 16
                | (bytes[index + 2] & 0xFF) << 8
                | bytes[index + 3] & 0xFF;
    }

    /** Returns the mask for the rest of a payload after that many bytes of it. */
    static int after(int mask, int bytes) {
        return Integer.rotateLeft(mask, (bytes & 3) * Byte.SIZE);
    }

    /** Masks in place. */
    static void apply(int mask, byte[] bytes, int from, int length) {
        copy(mask, bytes, from, bytes, from, length);
    }

    /** Masks in place. The buffer's indexes don't change. */
    static void apply(int mask, ChannelBuffer buffer, int index, int length) {
        if (buffer.hasArray()) {
            apply(mask, buffer.array(), buffer.arrayOffset() + index, length);
        } else {
            byte[] masked = new byte[length];
            copy(mask, buffer, index, masked, 0, length);
            buffer.setBytes(index, masked);
        }
    }

    /** Copies and masks. The two ranges must be identical or must not overlap. */
    static void copy(int mask, byte[] source, int from, byte[] target, int to, int length) {
        long wide = (Integer.reverseBytes(mask) & 0xFFFF_FFFFL) * TWICE;
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            LONGS.set(target, to + at, (long) LONGS.get(source, from + at) ^ wide);
        }
        for (; at < length; at++) {
            target[to + at] = (byte) (source[from + at] ^ wide);
            wide >>>= Byte.SIZE;
        }
    }

    /** Copies and masks. The source's indexes don't change. */
    static void copy(int mask, ChannelBuffer source, int index, byte[] target, int to, int length) {
        if (source.hasArray()) {
            copy(mask, source.array(), source.arrayOffset() + index, target, to, length);
        } else {
            source.getBytes(index, target, to, length);
            apply(mask, target, to, length);
        }
    }

    /** Appends a masked copy to the target. The source's indexes don't change. */
    static void write(int mask, ChannelBuffer source, int index, ChannelBuffer target, int length) {
        target.ensureWritableBytes(length);
        if (target.hasArray()) {
            copy(mask, source, index, target.array(), target.arrayOffset() + target.writerIndex(), length);
            target.writerIndex(target.writerIndex() + length);
        } else {
            byte[] masked = new byte[length];
            copy(mask, source, index, masked, 0, length);
            target.writeBytes(masked);
        }
    }

    /**
     * Masks made in advance, because the source of randomness costs a lock and a system call. Threads share it without waiting.
     */
    private static final class Supply {
        static final int BYTES = 1024;

        private static final SecureRandom RANDOM = new SecureRandom();

        final byte[] bytes = new byte[BYTES];
        final AtomicInteger taken = new AtomicInteger();

        Supply() {
            RANDOM.nextBytes(bytes);
        }
    }
}
