package org.freshet.buffer;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes text to buffers. Space for all of it is made first, so a text that does not fit changes nothing. Stateless;
 * any thread may call it.
 *
 * <p>A long text that begins with ASCII goes through the array that String returns: the JDK converts and copies many
 * characters per step, which saves more than the array costs. Other texts are written character by character, without
 * allocating.
 *
 * <p>Each method with a loop takes a CharSequence and has a separate call for a String: in the code compiled for that
 * call, {@code charAt} is String's own.
 */
final class TextWriter {
    private static final byte REPLACEMENT = '?';
    private static final int MAX_ASCII = 0x7F;
    private static final long NEGATIVE_BYTES = 0x8080_8080_8080_8080L;

    /** Per {@code char}; a surrogate pair takes four bytes for two chars. */
    private static final int MAX_UTF8_BYTES = 3;

    /**
     * From this length, an array from the JDK is faster than a loop if the text is ASCII; measured by
     * TextWriteBenchmark.
     */
    private static final int LONG_STRING = 20;

    /** The same for other texts, which must first be converted to a String. */
    private static final int LONG_SEQUENCE = 48;

    /** How many characters decide whether a text counts as beginning with ASCII. */
    private static final int SAMPLE = 4;

    private TextWriter() {}

    /** Looks at the first characters only: they affect the speed, not the result. */
    private static boolean isFasterThroughArray(CharSequence text) {
        return text instanceof String string
                ? string.length() >= LONG_STRING && beginsWithAscii(string)
                : text.length() >= LONG_SEQUENCE && beginsWithAscii(text);
    }

    private static boolean beginsWithAscii(CharSequence text) {
        int all = 0;
        for (int i = 0; i < SAMPLE; i++) {
            all |= text.charAt(i);
        }
        return all <= MAX_ASCII;
    }

    private static int writeAll(ChannelBuffer buffer, byte[] bytes) {
        buffer.ensureWritableBytes(bytes.length);
        buffer.writeBytes(bytes);
        return bytes.length;
    }

    // ---- ASCII ----

    static int writeAscii(ChannelBuffer buffer, CharSequence text) {
        if (isFasterThroughArray(text)) {
            buffer.ensureWritableBytes(text.length()); // same requirement as for a text written character by character
            return writeAll(buffer, asciiBytes(text.toString()));
        }
        buffer.ensureWritableBytes(text.length());
        int start = buffer.writerIndex();
        int end;
        if (buffer.hasArray()) {
            int offset = buffer.arrayOffset();
            byte[] array = buffer.array();
            end = (text instanceof String string
                            ? asciiToArray(string, array, offset + start)
                            : asciiToArray(text, array, offset + start))
                    - offset;
        } else {
            end = asciiToBuffer(text, buffer, start);
        }
        buffer.writerIndex(end);
        return end - start;
    }

    /** The JDK encodes Latin-1 faster than ASCII. The result differs only where bytes are negative. */
    private static byte[] asciiBytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int i = 0;
        for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
            if (((long) ArrayViews.LONG_BE.get(bytes, i) & NEGATIVE_BYTES) != 0) {
                break;
            }
        }
        for (; i < bytes.length; i++) {
            if (bytes[i] < 0) {
                bytes[i] = REPLACEMENT;
            }
        }
        return bytes;
    }

    /**
     * The first pass has no branch in its loop; a text that is not ASCII takes a second pass. Returns where the bytes
     * end.
     */
    private static int asciiToArray(CharSequence text, byte[] array, int start) {
        int length = text.length();
        int all = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            all |= c;
            array[start + i] = (byte) c;
        }
        return all <= MAX_ASCII ? start + length : replacingToArray(text, array, start);
    }

    private static int replacingToArray(CharSequence text, byte[] array, int start) {
        int at = start;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            array[at++] = c <= MAX_ASCII ? (byte) c : REPLACEMENT;
            if (isPair(text, i)) {
                i++;
            }
        }
        return at;
    }

    /** Writes eight characters per step while they are ASCII. */
    private static int asciiToBuffer(CharSequence text, ChannelBuffer buffer, int start) {
        boolean reverse = buffer.order() == ByteOrder.LITTLE_ENDIAN;
        int i = 0;
        for (; i <= text.length() - Long.BYTES; i += Long.BYTES) {
            long word = asciiWord(text, i);
            if (word < 0) {
                break;
            }
            buffer.setLong(start + i, reverse ? Long.reverseBytes(word) : word);
        }
        int at = start + i;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            buffer.setByte(at++, c <= MAX_ASCII ? c : REPLACEMENT);
            if (isPair(text, i)) {
                i++;
            }
        }
        return at;
    }

    /** Packs eight characters, the first one in the highest byte. Returns -1 if not all are ASCII. */
    private static long asciiWord(CharSequence text, int from) {
        long word = 0;
        int all = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            char c = text.charAt(from + i);
            all |= c;
            word = word << Byte.SIZE | c;
        }
        return all <= MAX_ASCII ? word : -1;
    }

    // ---- UTF-8 ----

    static int writeUtf8(ChannelBuffer buffer, CharSequence text) {
        if (isFasterThroughArray(text)) {
            return writeAll(buffer, text.toString().getBytes(StandardCharsets.UTF_8));
        }
        if (buffer.writableBytes() < (long) text.length() * MAX_UTF8_BYTES) {
            buffer.ensureWritableBytes(utf8Length(text));
        }
        int start = buffer.writerIndex();
        int end;
        if (buffer.hasArray()) {
            int offset = buffer.arrayOffset();
            byte[] array = buffer.array();
            end = (text instanceof String string
                            ? utf8ToArray(string, array, offset + start)
                            : utf8ToArray(text, array, offset + start))
                    - offset;
        } else {
            end = utf8ToBuffer(text, buffer, start);
        }
        buffer.writerIndex(end);
        return end - start;
    }

    /** Returns where the bytes end. */
    private static int utf8ToArray(CharSequence text, byte[] array, int start) {
        int length = text.length();
        int i = 0;
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c > MAX_ASCII) {
                break;
            }
            array[start + i] = (byte) c;
        }
        return i == length ? start + length : restToArray(text, i, array, start + i);
    }

    private static int restToArray(CharSequence text, int from, byte[] array, int start) {
        int at = start;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= MAX_ASCII) {
                array[at++] = (byte) c;
            } else if (c < 0x800) {
                array[at++] = (byte) (0xC0 | c >> 6);
                array[at++] = last(c);
            } else if (!Character.isSurrogate(c)) {
                array[at++] = (byte) (0xE0 | c >> 12);
                array[at++] = last(c >> 6);
                array[at++] = last(c);
            } else if (isPair(text, i)) {
                int codePoint = Character.toCodePoint(c, text.charAt(++i));
                array[at++] = (byte) (0xF0 | codePoint >> 18);
                array[at++] = last(codePoint >> 12);
                array[at++] = last(codePoint >> 6);
                array[at++] = last(codePoint);
            } else {
                array[at++] = REPLACEMENT;
            }
        }
        return at;
    }

    /** Like {@link #utf8ToArray}, but through absolute access, for composites and buffers defined by users. */
    private static int utf8ToBuffer(CharSequence text, ChannelBuffer buffer, int start) {
        int at = start;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= MAX_ASCII) {
                buffer.setByte(at++, c);
            } else if (c < 0x800) {
                buffer.setByte(at++, 0xC0 | c >> 6);
                buffer.setByte(at++, last(c));
            } else if (!Character.isSurrogate(c)) {
                buffer.setByte(at++, 0xE0 | c >> 12);
                buffer.setByte(at++, last(c >> 6));
                buffer.setByte(at++, last(c));
            } else if (isPair(text, i)) {
                int codePoint = Character.toCodePoint(c, text.charAt(++i));
                buffer.setByte(at++, 0xF0 | codePoint >> 18);
                buffer.setByte(at++, last(codePoint >> 12));
                buffer.setByte(at++, last(codePoint >> 6));
                buffer.setByte(at++, last(codePoint));
            } else {
                buffer.setByte(at++, REPLACEMENT);
            }
        }
        return at;
    }

    /** A continuation byte: the low six bits. */
    private static byte last(int bits) {
        return (byte) (0x80 | bits & 0x3F);
    }

    static int utf8Length(CharSequence text) {
        return text instanceof String string ? countUtf8(string) : countUtf8(text);
    }

    private static int countUtf8(CharSequence text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= MAX_ASCII) {
                continue;
            }
            if (c < 0x800) {
                bytes++;
            } else if (!Character.isSurrogate(c)) {
                bytes += 2;
            } else if (isPair(text, i)) {
                bytes += 2; // four bytes for two chars
                i++;
            } // otherwise the one-byte replacement
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the text takes more than 2 GiB in UTF-8: " + bytes + " bytes");
        }
        return (int) bytes;
    }

    private static boolean isPair(CharSequence text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }
}
