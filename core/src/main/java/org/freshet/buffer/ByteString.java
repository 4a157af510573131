package org.freshet.buffer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * An immutable sequence of bytes: a map key, a delimiter, a header line encoded once.
 *
 * <p>Byte strings with the same bytes are equal. The hash is computed once. If a peer chooses the keys, it can give all
 * of them the same hash; a {@link java.util.HashMap} then falls back on {@link #compareTo}, so a look-up stays
 * logarithmic.
 *
 * <p>Any thread may use it. Factory methods copy their input; {@link #slice} shares.
 */
public final class ByteString implements Comparable<ByteString> {
    /** The byte string of length 0. */
    public static final ByteString EMPTY = new ByteString(new byte[0], 0, 0);

    /** How many bytes {@link #toString()} shows. */
    private static final int MAX_SHOWN_BYTES = 64;

    private final byte[] bytes;
    private final int offset;
    private final int length;

    /** 0 until it is needed. Racing threads compute the same value. */
    private int hash;

    /** Takes over the array. */
    private ByteString(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    private static ByteString owning(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new ByteString(bytes, 0, bytes.length);
    }

    /** Returns a copy of {@code bytes}. */
    public static ByteString of(byte... bytes) {
        return owning(bytes.clone());
    }

    /**
     * Returns a copy of part of {@code bytes}.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code bytes}
     */
    public static ByteString copyOf(byte[] bytes, int offset, int length) {
        Bounds.check(offset, length, bytes.length);
        return owning(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    /** Returns a copy of the readable bytes of {@code buffer}, whose indices do not move. */
    public static ByteString copyOf(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return owning(bytes);
    }

    /**
     * Encodes text as one byte per character.
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
                                + "; use utf8(text) for other characters");
            }
            bytes[i] = (byte) c;
        }
        return owning(bytes);
    }

    /** Encodes text in UTF-8; an unpaired surrogate becomes a question mark. */
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
     * Returns a part that shares the bytes and keeps all of them in memory.
     *
     * @throws IndexOutOfBoundsException if the part is not within this byte string
     */
    public ByteString slice(int index, int length) {
        Bounds.check(index, length, this.length);
        if (length == 0) {
            return EMPTY;
        }
        return length == this.length ? this : new ByteString(bytes, offset + index, length);
    }

    /** Returns the first index of {@code value} at or after {@code fromIndex} (0 or more), or -1. */
    public int indexOf(byte value, int fromIndex) {
        for (int i = checkFrom(fromIndex); i < length; i++) {
            if (bytes[offset + i] == value) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the first index of {@code part} at or after {@code fromIndex} (0 or more), or -1. */
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

    /** Returns whether {@code buffer} has these bytes at {@code index}; false if its capacity ends before they do. */
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

    /** Returns a read-only big endian buffer that shares the bytes, all of them readable. */
    public ChannelBuffer toChannelBuffer() {
        return ChannelBuffers.unmodifiableBuffer(ChannelBuffers.wrappedBuffer(bytes, offset, length));
    }

    /** Appends the bytes to {@code buffer}. */
    public void writeTo(ChannelBuffer buffer) {
        buffer.writeBytes(bytes, offset, length);
    }

    /** Returns a copy of the bytes. */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** Decodes the bytes; malformed bytes are replaced. */
    public String toString(Charset charset) {
        return new String(bytes, offset, length, charset);
    }

    /** Shows the number of bytes and the first {@value #MAX_SHOWN_BYTES} of them as hexadecimal digits. */
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

    /** The JVM compares whole arrays fastest. */
    private boolean equalBytes(ByteString that) {
        if (length != that.length || hash != that.hash && hash != 0 && that.hash != 0) {
            return false;
        }
        return length == bytes.length && length == that.bytes.length ? Arrays.equals(bytes, that.bytes) : has(that, 0);
    }

    /** Equal byte strings have the same hash. The value is not specified beyond that. */
    @Override
    public int hashCode() {
        int known = hash;
        if (known == 0) {
            known = computeHash();
            hash = known;
        }
        return known;
    }

    /** Never 0; otherwise the result of {@code Arrays.hashCode}, which the JVM vectorizes since Java 21. */
    private int computeHash() {
        int computed = length == bytes.length ? Arrays.hashCode(bytes) : hashOfPart();
        return computed == 0 ? 1 : computed;
    }

    /** Takes four bytes per step, because each step waits for the one before. */
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

    /** Compares the bytes as unsigned numbers; a prefix comes before the longer string. */
    @Override
    public int compareTo(ByteString that) {
        return Arrays.compareUnsigned(
                bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }
}
