package org.freshet.buffer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Bytes that never change: a key of a map, a delimiter, a header line that is encoded once.
 *
 * <p>Equal are byte strings of the same bytes. The hash is computed once. Keys that a peer chooses may all have the same
 * hash; a {@link java.util.HashMap} then falls back on {@link #compareTo}, so that a look-up stays logarithmic.
 *
 * <p>Immutable; any thread. What is given is copied, and {@link #slice} shares.
 */
public final class ByteString implements Comparable<ByteString> {
    /** Without bytes. */
    public static final ByteString EMPTY = new ByteString(new byte[0], 0, 0);

    /** In {@link #toString()}; the rest is left out. */
    private static final int MAX_SHOWN_BYTES = 64;

    private final byte[] bytes;
    private final int offset;
    private final int length;

    /** 0 until it is needed. Threads that race compute the same. */
    private int hash;

    /** Takes the array over. */
    private ByteString(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    private static ByteString owning(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new ByteString(bytes, 0, bytes.length);
    }

    /** A copy of {@code bytes}. */
    public static ByteString of(byte... bytes) {
        return owning(bytes.clone());
    }

    /**
     * A copy of part of {@code bytes}.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code bytes}
     */
    public static ByteString copyOf(byte[] bytes, int offset, int length) {
        Bounds.check(offset, length, bytes.length);
        return owning(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    /** A copy of what is readable in {@code buffer}, whose indices do not move. */
    public static ByteString copyOf(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return owning(bytes);
    }

    /**
     * A byte for each character.
     *
     * @throws IllegalArgumentException if a character is not ASCII
     */
    public static ByteString ascii(CharSequence text) {
        byte[] bytes = new byte[text.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = text.charAt(i);
            if (c > 0x7F) {
                throw new IllegalArgumentException(
                        "not ASCII: U+" + HexFormat.of().withUpperCase().toHexDigits(c) + " at " + i
                                + "; utf8(text) takes all characters");
            }
            bytes[i] = (byte) c;
        }
        return owning(bytes);
    }

    /** The text in UTF-8; an unpaired surrogate becomes a question mark. */
    public static ByteString utf8(CharSequence text) {
        return owning(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return length;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** @throws IndexOutOfBoundsException if {@code index} is not from 0 to {@code length() - 1} */
    public byte byteAt(int index) {
        return bytes[offset + Objects.checkIndex(index, length)];
    }

    /**
     * A part, which shares the bytes and keeps all of them in memory.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within this one
     */
    public ByteString slice(int index, int length) {
        Bounds.check(index, length, this.length);
        if (length == 0) {
            return EMPTY;
        }
        return length == this.length ? this : new ByteString(bytes, offset + index, length);
    }

    /** Where {@code value} is first, from {@code fromIndex} (0 or more) on; -1 if nowhere. */
    public int indexOf(byte value, int fromIndex) {
        for (int i = checkFrom(fromIndex); i < length; i++) {
            if (bytes[offset + i] == value) {
                return i;
            }
        }
        return -1;
    }

    /** Where {@code part} begins first, from {@code fromIndex} (0 or more) on; -1 if nowhere. */
    public int indexOf(ByteString part, int fromIndex) {
        for (int i = checkFrom(fromIndex); i <= length - part.length; i++) {
            if (has(part, i)) {
                return i;
            }
        }
        return -1;
    }

    private static int checkFrom(int fromIndex) {
        if (fromIndex < 0) {
            throw new IllegalArgumentException("fromIndex < 0: " + fromIndex);
        }
        return fromIndex;
    }

    public boolean startsWith(ByteString prefix) {
        return prefix.length <= length && has(prefix, 0);
    }

    public boolean endsWith(ByteString suffix) {
        return suffix.length <= length && has(suffix, length - suffix.length);
    }

    private boolean has(ByteString part, int index) {
        int from = offset + index;
        return Arrays.equals(bytes, from, from + part.length, part.bytes, part.offset, part.offset + part.length);
    }

    /** Whether {@code buffer} has these bytes at {@code index}; false, too, where its capacity ends before they do. */
    public boolean isAt(ChannelBuffer buffer, int index) {
        if (index < 0 || index > buffer.capacity() - length) {
            return false;
        }
        if (buffer.hasArray()) {
            int from = buffer.arrayOffset() + index;
            return Arrays.equals(buffer.array(), from, from + length, bytes, offset, offset + length);
        }
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(index + i) != bytes[offset + i]) {
                return false;
            }
        }
        return true;
    }

    /** A read-only big endian buffer that shares the bytes, all of them readable. */
    public ChannelBuffer toChannelBuffer() {
        return ChannelBuffers.unmodifiableBuffer(ChannelBuffers.wrappedBuffer(bytes, offset, length));
    }

    /** Appends the bytes to {@code buffer}. */
    public void writeTo(ChannelBuffer buffer) {
        buffer.writeBytes(bytes, offset, length);
    }

    /** A copy of the bytes. */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** The bytes as text; what {@code charset} cannot decode is replaced. */
    public String toString(Charset charset) {
        return new String(bytes, offset, length, charset);
    }

    /** The number of bytes and the first {@value #MAX_SHOWN_BYTES} of them as hexadecimal digits. */
    @Override
    public String toString() {
        int shown = Math.min(length, MAX_SHOWN_BYTES);
        return "ByteString(" + length + ": " + HexFormat.of().formatHex(bytes, offset, offset + shown)
                + (shown < length ? "...)" : ")");
    }

    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof ByteString that && equalBytes(that);
    }

    /** Arrays that are compared as a whole have the fastest code of the JVM. */
    private boolean equalBytes(ByteString that) {
        if (length != that.length || hash != that.hash && hash != 0 && that.hash != 0) {
            return false;
        }
        return length == bytes.length && length == that.bytes.length ? Arrays.equals(bytes, that.bytes) : has(that, 0);
    }

    /** The same for equal byte strings; not specified beyond that. */
    @Override
    public int hashCode() {
        int known = hash;
        if (known == 0) {
            known = computeHash();
            hash = known;
        }
        return known;
    }

    /** Never 0. What {@code Arrays.hashCode} computes, which the JVM has vectorized since Java 21, but for 0. */
    private int computeHash() {
        int computed = length == bytes.length ? Arrays.hashCode(bytes) : hashOfPart();
        return computed == 0 ? 1 : computed;
    }

    /** Four bytes a step, because each step waits for the one before. */
    private int hashOfPart() {
        int computed = 1;
        int at = offset;
        int end = offset + length;
        for (; at <= end - 4; at += 4) {
            computed = 31 * 31 * 31 * 31 * computed
                    + 31 * 31 * 31 * bytes[at]
                    + 31 * 31 * bytes[at + 1]
                    + 31 * bytes[at + 2]
                    + bytes[at + 3];
        }
        for (; at < end; at++) {
            computed = 31 * computed + bytes[at];
        }
        return computed;
    }

    /** Orders by the bytes as unsigned numbers, a prefix before what it begins. */
    @Override
    public int compareTo(ByteString that) {
        return Arrays.compareUnsigned(
                bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }
}
