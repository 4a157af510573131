package org.freshet.buffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.EMPTY_BUFFER;
import static org.freshet.buffer.ChannelBuffers.LITTLE_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.hexDump;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelBufferStreamTest {
    @Test
    void shouldReadWhatItWrote() throws IOException {
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(order, 8);
            buffer.writeByte(9);
            buffer.readByte();
            try (ChannelBufferOutputStream out = new ChannelBufferOutputStream(buffer)) {
                out.write(0x1ff);
                out.write(new byte[] {1, 2, 3});
                out.write(new byte[] {1, 2, 3}, 1, 1);
                out.writeBoolean(true);
                out.writeBoolean(false);
                out.writeByte(-2);
                out.writeShort(-3);
                out.writeChar('x');
                out.writeInt(-4);
                out.writeLong(-5);
                out.writeFloat(1.5f);
                out.writeDouble(-2.5);
                out.writeUTF("h\u00e9\u20ac\0\ud83d\ude00");
                out.writeChars("ab");
                out.writeBytes("a\u00e9\u20ac");
                assertEquals(buffer.readableBytes(), out.writtenBytes());
                assertSame(buffer, out.buffer());
            }
            try (ChannelBufferInputStream in = new ChannelBufferInputStream(buffer)) {
                assertEquals(0xff, in.read());
                byte[] four = new byte[4];
                in.readFully(four);
                assertArrayEquals(new byte[] {1, 2, 3, 2}, four);
                assertTrue(in.readBoolean());
                assertFalse(in.readBoolean());
                assertEquals(-2, in.readByte());
                assertEquals(-3, in.readShort());
                assertEquals('x', in.readChar());
                assertEquals(-4, in.readInt());
                assertEquals(-5, in.readLong());
                assertEquals(1.5f, in.readFloat());
                assertEquals(-2.5, in.readDouble());
                assertEquals("h\u00e9\u20ac\0\ud83d\ude00", in.readUTF());
                assertEquals('a', in.readChar());
                assertEquals('b', in.readChar());
                assertEquals(0x61, in.readUnsignedByte());
                assertEquals(order == LITTLE_ENDIAN ? 0xace9 : 0xe9ac, in.readUnsignedShort());
                assertEquals(0, in.available());
                assertEquals(buffer.readerIndex() - 1, in.readBytes());
            }
        }
    }

    @Test
    void shouldWriteLikeTheJdkOverABigEndianBuffer() throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        DataOutputStream jdk = new DataOutputStream(expected);
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer();
        ChannelBufferOutputStream ours = new ChannelBufferOutputStream(buffer);
        for (java.io.DataOutput out : List.of(jdk, ours)) {
            out.writeInt(0x01020304);
            out.writeChars("a\u20ac");
            out.writeBytes("a\u20ac");
            out.writeUTF("\0\u00ff");
            out.writeDouble(Math.PI);
            out.writeBoolean(true);
        }
        assertEquals(wrappedBuffer(expected.toByteArray()), buffer);
    }

    @Test
    void shouldEndAtTheGivenLength() throws IOException {
        ChannelBuffer buffer = wrappedBuffer(new byte[] {1, 2, 3, 4, 5, 6, 7});
        buffer.skipBytes(1);
        ChannelBufferInputStream in = new ChannelBufferInputStream(buffer, 4);
        assertEquals(4, in.available());
        assertEquals(2, in.read());
        assertEquals(3, in.read(new byte[9], 2, 7));
        assertEquals(-1, in.read());
        assertEquals(-1, in.read(new byte[1]));
        assertEquals(0, in.read(new byte[0]));
        assertEquals(0, in.skip(3));
        assertEquals(4, in.readBytes());
        assertEquals(5, buffer.readerIndex());
        assertThrows(EOFException.class, in::readByte);
        assertThrows(EOFException.class, in::readUnsignedShort);
        assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[3], 2, 2), "even at the end");
        assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[3], 4, 0));
    }

    @Test
    void shouldReadNothingWhenTooLittleIsLeft() {
        ChannelBuffer buffer = wrappedBuffer(new byte[10]);
        ChannelBufferInputStream in = new ChannelBufferInputStream(buffer, 3);
        assertThrows(EOFException.class, in::readInt);
        assertThrows(EOFException.class, in::readLong);
        assertThrows(EOFException.class, () -> in.readFully(new byte[4]));
        assertEquals(0, buffer.readerIndex());
        assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[3], 2, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> in.readFully(new byte[3], 2, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> in.readFully(new byte[3], 2, -1));
        assertEquals(0, buffer.readerIndex());
    }

    @Test
    void shouldRefuseBadLengths() {
        ChannelBuffer buffer = wrappedBuffer(new byte[5]);
        assertThrows(IllegalArgumentException.class, () -> new ChannelBufferInputStream(buffer, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> new ChannelBufferInputStream(buffer, 6));
        assertThrows(NullPointerException.class, () -> new ChannelBufferInputStream(null));
        assertThrows(NullPointerException.class, () -> new ChannelBufferOutputStream(null));
    }

    @Test
    void shouldGoBackToItsMarkAndToItsStartWithoutOne() throws IOException {
        ChannelBuffer buffer = wrappedBuffer(new byte[] {1, 2, 3, 4});
        buffer.skipBytes(1);
        ChannelBufferInputStream in = new ChannelBufferInputStream(buffer);
        assertTrue(in.markSupported());
        in.read();
        in.reset();
        assertEquals(1, buffer.readerIndex());
        in.read();
        in.mark(0);
        in.read();
        in.reset();
        assertEquals(3, in.read());
    }

    @Test
    void shouldSkipForwardOnly() throws IOException {
        ChannelBufferInputStream in = new ChannelBufferInputStream(wrappedBuffer(new byte[10]));
        assertEquals(3, in.skip(3));
        assertEquals(0, in.skip(-2));
        assertEquals(0, in.skipBytes(-2));
        assertEquals(2, in.skipBytes(2));
        assertEquals(5, in.skip(Long.MAX_VALUE));
        assertEquals(0, in.skip(1));
    }

    @Test
    void shouldSplitLinesAsDataInputSays() throws IOException {
        assertEquals(List.of(), lines(""));
        assertEquals(List.of("a"), lines("a"));
        assertEquals(List.of("a"), lines("a\n"));
        assertEquals(List.of("a"), lines("a\r\n"));
        assertEquals(List.of("a", "b"), lines("a\rb"));
        assertEquals(List.of("", "", "b"), lines("\n\r\nb"));
        assertEquals(List.of("a", "", "\u00e9"), lines("a\r\r\n\u00e9"));
        assertEquals(List.of("a"), lines("a\r"));
        ChannelBuffer longer = wrappedBuffer("a\r\nb".getBytes(ISO_8859_1));
        assertEquals("a", new ChannelBufferInputStream(longer, 2).readLine());
        assertEquals(2, longer.readerIndex(), "the line feed is not in the stream");
    }

    private static List<String> lines(String text) throws IOException {
        ChannelBufferInputStream in = new ChannelBufferInputStream(wrappedBuffer(text.getBytes(ISO_8859_1)));
        List<String> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            lines.add(line);
        }
        assertNull(in.readLine());
        return lines;
    }

    @Test
    void shouldReportBadText() {
        assertThrows(EOFException.class, () -> in(0, 5, 65).readUTF());
        assertThrows(UTFDataFormatException.class, () -> in(0, 1, 255).readUTF());
        ChannelBufferOutputStream out = new ChannelBufferOutputStream(ChannelBuffers.dynamicBuffer());
        assertThrows(UTFDataFormatException.class, () -> out.writeUTF("x".repeat(65536)));
        assertEquals(0, out.writtenBytes());
    }

    private static ChannelBufferInputStream in(int... bytes) {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer();
        for (int value : bytes) {
            buffer.writeByte(value);
        }
        return new ChannelBufferInputStream(buffer);
    }

    @Test
    void shouldFailOnAFullBuffer() throws IOException {
        ChannelBuffer buffer = ChannelBuffers.buffer(3);
        ChannelBufferOutputStream out = new ChannelBufferOutputStream(buffer);
        out.write(1);
        assertThrows(IndexOutOfBoundsException.class, () -> out.writeInt(1));
        assertThrows(IndexOutOfBoundsException.class, () -> out.writeBytes("abc"));
        assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[3], 2, 2));
        assertEquals("01", hexDump(buffer));
        ChannelBufferOutputStream nowhere = new ChannelBufferOutputStream(EMPTY_BUFFER);
        nowhere.write(new byte[0]);
        assertEquals(0, nowhere.writtenBytes());
    }
}
