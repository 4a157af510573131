package org.freshet.handler.codec.http.websocketx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;

/**
 * Masks of RFC 6455, section 5.3: chooses them, and applies them eight bytes at a time. To apply a mask twice undoes it.
 *
 * <p>A mask is an int whose most significant byte belongs to the first byte of a payload, as it stands in a frame. A payload
 * that arrives in pieces takes {@link #after} for each further piece. Any thread may call any method.
 */
final class Masks {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long TWICE = 0x1_0000_0001L;

    private static volatile Supply supply = new Supply();

    private Masks() {}

    /** A mask that nobody can foretell from earlier ones, from a cryptographically strong source. */
    static int random() {
        while (true) {
            Supply current = supply;
            int at = current.taken.getAndIncrement();
            if (at < Supply.BYTES / Integer.BYTES) {
                return intAt(current.bytes, at * Integer.BYTES);
            }
            supply = new Supply(); // if several threads come here, the others' masks remain unused
        }
    }

    private static int intAt(byte[] bytes, int index) {
        return (bytes[index] & 0xFF) << 24
                | (bytes[index + 1] & 0xFF) << 16
                | (bytes[index + 2] & 0xFF) << 8
                | bytes[index + 3] & 0xFF;
    }

    /** The mask for what follows that many bytes of a payload whose first byte this mask fits. */
    static int after(int mask, int bytes) {
        return Integer.rotateLeft(mask, (bytes & 3) * Byte.SIZE);
    }

    /** Masks in place. */
    static void apply(int mask, byte[] bytes, int from, int length) {
        copy(mask, bytes, from, bytes, from, length);
    }

    /** Masks in place; the buffer's indexes stay. */
    static void apply(int mask, ChannelBuffer buffer, int index, int length) {
        if (buffer.hasArray()) {
            apply(mask, buffer.array(), buffer.arrayOffset() + index, length);
        } else {
            byte[] masked = new byte[length];
            copy(mask, buffer, index, masked, 0, length);
            buffer.setBytes(index, masked);
        }
    }

    /** Masks what it copies. The two ranges must be the same or not overlap. */
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

    /** Masks what it copies; the source's indexes stay. */
    static void copy(int mask, ChannelBuffer source, int index, byte[] target, int to, int length) {
        if (source.hasArray()) {
            copy(mask, source.array(), source.arrayOffset() + index, target, to, length);
        } else {
            source.getBytes(index, target, to, length);
            apply(mask, target, to, length);
        }
    }

    /** Masks what it copies, behind what the target holds; the source's indexes stay. */
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

    /** Masks in advance, since the source of randomness costs a lock and a system call. Threads share it; none waits. */
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
