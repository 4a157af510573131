package org.freshet.handler.codec.base64;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DirectChannelBufferFactory;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class Base64Test {
    private final Random random = Seeds.random();

    private static ChannelBuffer ascii(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    private static String encodedByNetty3(byte[] bytes, boolean breakLines, Base64Dialect dialect) {
        return org.jboss.netty.handler.codec.base64.Base64.encode(
                        org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(bytes), breakLines, theirs(dialect))
                .toString(US_ASCII);
    }

    private static org.jboss.netty.handler.codec.base64.Base64Dialect theirs(Base64Dialect dialect) {
        return org.jboss.netty.handler.codec.base64.Base64Dialect.valueOf(dialect.name());
    }

    @Test
    void shouldEncodeAndDecodeAsNetty3Does() {
        for (int i = 0; i < 3000; i++) {
            byte[] bytes = new byte[i < 300 ? i : random.nextInt(300)];
            random.nextBytes(bytes);
            for (Base64Dialect dialect : Base64Dialect.values()) {
                for (boolean breakLines : new boolean[] {true, false}) {
                    ChannelBuffer encoded = Base64.encode(ChannelBuffers.wrappedBuffer(bytes), breakLines, dialect);
                    assertEquals(encodedByNetty3(bytes, breakLines, dialect), encoded.toString(US_ASCII));
                    assertEquals(ChannelBuffers.wrappedBuffer(bytes), Base64.decode(encoded, dialect));
                }
            }
        }
    }

    @Test
    void shouldAgreeWithNetty3OnRandomTextThatBothAccept() {
        String characters = "ABCDabcd0123+/-_ \t\r\n";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            int symbols = random.nextInt(6) * 4;
            while (symbols > 0) {
                char c = characters.charAt(random.nextInt(characters.length()));
                text.append(c);
                symbols -= c <= ' ' ? 0 : 1;
            }
            for (Base64Dialect dialect : Base64Dialect.values()) {
                String theirs = decodedByNetty3(text.toString(), dialect);
                assertEquals(theirs, decoded(text.toString(), dialect), () -> dialect + " " + text);
            }
        }
    }

    private static String decoded(String text, Base64Dialect dialect) {
        try {
            return ChannelBuffers.hexDump(Base64.decode(ascii(text), dialect));
        } catch (IllegalArgumentException e) {
            return "refused";
        }
    }

    private static String decodedByNetty3(String text, Base64Dialect dialect) {
        try {
            return org.jboss.netty.buffer.ChannelBuffers.hexDump(org.jboss.netty.handler.codec.base64.Base64.decode(
                    org.jboss.netty.buffer.ChannelBuffers.copiedBuffer(text, US_ASCII), theirs(dialect)));
        } catch (IllegalArgumentException e) {
            return "refused";
        }
    }

    @Test
    void shouldBreakLinesByDefaultAsTheDialectSpecifies() {
        ChannelBuffer line = ChannelBuffers.wrappedBuffer(new byte[57]);
        assertEquals(77, Base64.encode(line.duplicate()).readableBytes());
        assertEquals(76, Base64.encode(line.duplicate(), Base64Dialect.URL_SAFE).readableBytes());
        assertEquals(77, Base64.encode(line.duplicate(), Base64Dialect.ORDERED).readableBytes());
        assertEquals(76, Base64.encode(line.duplicate(), false).readableBytes());
    }

    @Test
    void shouldConsumeAConvertedBufferButNotAConvertedPart() {
        ChannelBuffer source = ascii("xabcx");
        assertEquals("YWJj", Base64.encode(source, 1, 3).toString(US_ASCII));
        assertEquals(
                "YWJj",
                Base64.encode(source, 1, 3, false, Base64Dialect.STANDARD).toString(US_ASCII));
        assertEquals("abc", Base64.decode(ascii("=YWJj="), 1, 4).toString(US_ASCII));
        assertEquals(0, source.readerIndex());
        Base64.encode(source);
        assertFalse(source.readable());
        ChannelBuffer text = ascii("YWJj");
        Base64.decode(text);
        assertFalse(text.readable());
        assertThrows(IndexOutOfBoundsException.class, () -> Base64.encode(ascii("abc"), 1, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> Base64.encode(ascii("abc"), 1, -1));
    }

    @Test
    void shouldUseTheGivenFactoryAndTheByteOrderOfTheSource() {
        ChannelBuffer source = ChannelBuffers.directBuffer(ByteOrder.LITTLE_ENDIAN, 3);
        source.writeZero(3);
        ChannelBuffer encoded = Base64.encode(source, DirectChannelBufferFactory.getInstance());
        assertTrue(encoded.isDirect());
        assertEquals(ByteOrder.LITTLE_ENDIAN, encoded.order());
        assertFalse(Base64.decode(encoded.duplicate()).isDirect());
        assertTrue(
                Base64.decode(encoded, DirectChannelBufferFactory.getInstance()).isDirect());
    }

    @Test
    void shouldAcceptMissingPaddingAndSkipWhitespace() {
        assertEquals("A", Base64.decode(ascii("QQ")).toString(US_ASCII));
        assertEquals("AB", Base64.decode(ascii(" QU\tI\r\n")).toString(US_ASCII));
        assertEquals("", Base64.decode(ascii(" \n")).toString(US_ASCII));
    }

    @Test
    void shouldRefuseTextThatIsNotBase64() {
        for (String bad : new String[] {
            "Q", "QUJDQ", "QQ=", "QQ=Q", "====", "=", "QQ==QQ==", "QU*D", "QUJDQQ==xx", "QU-_", "Q\u007fJD"
        }) {
            assertThrows(IllegalArgumentException.class, () -> Base64.decode(ascii(bad)), bad);
        }
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> Base64.decode(ChannelBuffers.wrappedBuffer(new byte[] {'Q', 'U', (byte) 0xE9, 'D'})));
        assertEquals("not a Base64 character at 2: 233", e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Base64.decode(ascii("QU+/"), Base64Dialect.URL_SAFE));
    }

    /** Damaged by a bit flip or truncation, a text either decodes to bytes or causes the documented exception. */
    @Test
    void shouldThrowOnlyTheDocumentedExceptionForDamagedText() {
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            Base64Dialect dialect = Base64Dialect.values()[random.nextInt(3)];
            ChannelBuffer text = Base64.encode(ChannelBuffers.wrappedBuffer(bytes), dialect);
            if (text.readable() && random.nextBoolean()) {
                int at = random.nextInt(text.readableBytes());
                text.setByte(at, text.getByte(at) ^ 1 << random.nextInt(8));
            } else {
                text.writerIndex(random.nextInt(text.writerIndex() + 1));
            }
            try {
                assertTrue(Base64.decode(text, dialect).readableBytes() <= bytes.length + 2);
            } catch (IllegalArgumentException expected) {
                assertFalse(expected.getMessage().isEmpty());
            }
        }
    }

    @Test
    void shouldConvertMessagesAndPassOthers() {
        EncoderEmbedder<Object> encoder = new EncoderEmbedder<>(new Base64Encoder());
        ChannelBuffer source = ascii("abc");
        encoder.offer(source);
        assertEquals(ascii("YWJj"), encoder.poll());
        assertTrue(source.readable(), "a message written to many channels is unchanged");
        encoder.offer("text");
        assertSame("text", encoder.poll());
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new Base64Decoder(Base64Dialect.URL_SAFE));
        decoder.offer("-w==");
        decoder.offer(ascii("-w=="));
        decoder.offer(7);
        assertEquals(0xFF & ((ChannelBuffer) decoder.poll()).getByte(0), 0xFB);
        assertEquals(0xFF & ((ChannelBuffer) decoder.poll()).getByte(0), 0xFB);
        assertEquals(7, decoder.poll());
        assertThrows(CodecEmbedderException.class, () -> decoder.offer("\u0141UJD"));
    }

    @Test
    void shouldRefuseNull() {
        assertThrows(NullPointerException.class, () -> Base64.encode(null));
        assertThrows(NullPointerException.class, () -> Base64.encode(ascii("a"), (Base64Dialect) null));
        assertThrows(NullPointerException.class, () -> Base64.decode(ascii("a"), (Base64Dialect) null));
        assertThrows(NullPointerException.class, () -> new Base64Encoder(true, null));
        assertThrows(NullPointerException.class, () -> new Base64Decoder(null));
    }
}
