package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntBiFunction;
import java.util.stream.Stream;
import org.freshet.testing.Allocations;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code ChannelBuffers.writeAscii}, {@code writeUtf8} and {@code utf8Length}, checked against {@code String.getBytes}.
 */
class TextWriterTest {
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "plain ASCII of more than eight",
            "\u007f\u0080\u07ff\u0800\uffff",
            "Größe, μέγεθος, 大きさ",
            "x\ud83d\ude00y\ud83d\ude00",
            "\ud83d",
            "\ude00 alone",
            "high at the end \ud83d",
            "\ude00\ud83d swapped",
            "\ud83d\ud83d\ude00",
            "\u010a\u010d\u0100",
            "ASCII first, then Gr\u00f6\u00dfe and \u5927\u304d\u3055 and \ud83d\ude00 and \ud83d alone",
            "ASCII first, then Latin-1 only, far beyond the place where arrays begin: \u00e9\u00ff\u0080",
            "nothing but ASCII, longer than what is written character by character: 0123456789",
            "ASCII from its first character to its last, which is \0",
            "\u00e9\u007f\0");

    private final Random random = Seeds.random();

    @ParameterizedTest
    @EnumSource(BufferKind.class)
    void shouldWriteWhatTheCharsetEncodesIntoEachKindOfBuffer(BufferKind kind) {
        if (kind.readOnly()) {
            return;
        }
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            Stream.concat(TEXTS.stream(), Stream.generate(this::anyText).limit(20))
                    .forEach(text -> {
                        check(kind, order, text, StandardCharsets.US_ASCII, ChannelBuffers::writeAscii);
                        check(kind, order, text, StandardCharsets.UTF_8, ChannelBuffers::writeUtf8);
                    });
        }
    }

    private void check(
            BufferKind kind,
            ByteOrder order,
            String text,
            Charset charset,
            ToIntBiFunction<ChannelBuffer, CharSequence> write) {
        byte[] expected = text.getBytes(charset);
        for (CharSequence sequence : List.of(text, new StringBuilder(text))) {
            int needed = Math.max(expected.length, text.length());
            for (int spare : new int[] {0, 3 * text.length()}) {
                ChannelBuffer buffer = kind.make(order, new byte[2 + needed + spare], random);
                buffer.clear();
                buffer.writeShort(7);
                assertEquals(expected.length, write.applyAsInt(buffer, sequence), text);
                assertEquals(7, buffer.readShort());
                byte[] written = new byte[buffer.readableBytes()];
                buffer.readBytes(written);
                assertArrayEquals(expected, written, text);
            }
        }
    }

    @Test
    void shouldNotTurnACharacterIntoALineEnd() {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer();
        ChannelBuffers.writeAscii(buffer, "a\u010ab\u010dc\u0120");
        assertEquals("a?b?c?", buffer.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldCountTheBytesOfUtf8() {
        Stream.concat(TEXTS.stream(), Stream.generate(this::anyText).limit(200)).forEach(text -> {
            int expected = text.getBytes(StandardCharsets.UTF_8).length;
            assertEquals(expected, ChannelBuffers.utf8Length(text));
            assertEquals(expected, ChannelBuffers.utf8Length(new StringBuilder(text)));
        });
    }

    @Test
    void shouldWriteNothingWhenThereIsNoRoom() {
        for (ChannelBuffer buffer : List.of(ChannelBuffers.buffer(5), ChannelBuffers.directBuffer(5))) {
            buffer.writeByte(1);
            assertThrows(IndexOutOfBoundsException.class, () -> ChannelBuffers.writeAscii(buffer, "12345"));
            assertThrows(IndexOutOfBoundsException.class, () -> ChannelBuffers.writeUtf8(buffer, "12\u6c34"));
            assertEquals(1, buffer.writerIndex());
            assertEquals(0, buffer.getByte(1));
            assertEquals(4, ChannelBuffers.writeUtf8(buffer, "1\u6c34"));
        }
    }

    @Test
    void shouldGrowADynamicBuffer() {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(1);
        String text = "Größe ".repeat(100);
        assertEquals(800, ChannelBuffers.writeUtf8(buffer, text));
        assertEquals(600, ChannelBuffers.writeAscii(buffer, text));
        assertTrue(buffer.toString(StandardCharsets.UTF_8).startsWith(text + "Gr??e"));
    }

    @Test
    void shouldWriteNoPartOfALongTextWhenThereIsNoRoom() {
        String text = "long ASCII with a surprise at its end \u6c34".repeat(2);
        for (CharSequence sequence : List.of(text, new StringBuilder(text))) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            ChannelBuffer buffer = ChannelBuffers.buffer(bytes - 1);
            assertThrows(IndexOutOfBoundsException.class, () -> ChannelBuffers.writeUtf8(buffer, sequence));
            ChannelBuffer small = ChannelBuffers.buffer(text.length() - 1);
            assertThrows(IndexOutOfBoundsException.class, () -> ChannelBuffers.writeAscii(small, sequence));
            assertEquals(0, buffer.writerIndex() + small.writerIndex());
            assertEquals(0, buffer.getByte(0) + small.getByte(0));
        }
    }

    /** Although a surrogate pair becomes one byte: how a text is written must not decide whether it fits. */
    @Test
    void shouldNeedSpaceForEachCharacterOfAsciiText() {
        String beyond = "nothing but ASCII, and one character beyond it: \ud83d\ude00";
        for (CharSequence text : List.of(beyond, new StringBuilder(beyond), "a\ud83d\ude00")) {
            ChannelBuffer buffer = ChannelBuffers.buffer(text.length() - 1);
            assertThrows(IndexOutOfBoundsException.class, () -> ChannelBuffers.writeAscii(buffer, text));
            assertEquals(0, buffer.writerIndex());
            assertEquals(text.length() - 1, ChannelBuffers.writeAscii(ChannelBuffers.buffer(text.length()), text));
        }
    }

    @Test
    void shouldAllocateNothing() {
        for (ChannelBuffer buffer : List.of(ChannelBuffers.buffer(4096), ChannelBuffers.directBuffer(4096))) {
            String text = "Größe 大きさ ".repeat(3);
            Allocations.assertBytes(0, () -> {
                buffer.clear();
                ChannelBuffers.writeAscii(buffer, text);
                ChannelBuffers.writeUtf8(buffer, text);
                return buffer;
            });
        }
    }

    @Test
    void shouldAllocateNothingForALongSequenceThatIsNotAString() {
        ChannelBuffer buffer = ChannelBuffers.buffer(4096);
        CharSequence text = new StringBuilder("Größe ".repeat(10));
        Allocations.assertBytes(0, () -> {
            buffer.clear();
            ChannelBuffers.writeAscii(buffer, text);
            ChannelBuffers.writeUtf8(buffer, text);
            return buffer;
        });
    }

    private String anyText() {
        int[] points = new int[random.nextInt(40)];
        Arrays.setAll(points, i -> switch (random.nextInt(4)) {
            case 0 -> random.nextInt(0x80);
            case 1 -> random.nextInt(0x800);
            case 2 -> random.nextInt(0x10000); // including surrogates
            default -> random.nextInt(0x110000);
        });
        return new String(points, 0, points.length);
    }
}
