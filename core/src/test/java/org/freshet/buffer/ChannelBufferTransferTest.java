package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelBufferTransferTest extends ChannelBufferContract {
    @Test
    void shouldTransferBytesToEveryKindOfBuffer() {
        for (BufferKind other : BufferKind.values()) {
            if (!other.readOnly()) {
                ChannelBuffer dst = other.make(order, new byte[SIZE], random);
                dst.setIndex(0, 5);
                buffer.getBytes(7, dst, 20);
                buffer.getBytes(3, dst, 30, 9);
                byte[] expected = new byte[SIZE];
                System.arraycopy(bytes, 7, expected, 5, 20);
                System.arraycopy(bytes, 3, expected, 30, 9);
                assertEquals(25, dst.writerIndex());
                assertArrayEquals(expected, all(dst), other::name);
            }
        }
    }

    @Test
    void shouldTransferBytesFromEveryKindOfBuffer() {
        assumeFalse(kind.readOnly());
        for (BufferKind other : BufferKind.values()) {
            byte[] incoming = new byte[SIZE];
            random.nextBytes(incoming);
            ChannelBuffer src = other.make(ByteOrder.LITTLE_ENDIAN, incoming, random);
            src.setIndex(5, 40);
            buffer.setBytes(7, src, 20);
            buffer.setBytes(31, src, 2, 11);
            buffer.setBytes(50, src.slice(3, 4));
            model.put(7, incoming, 5, 20).put(31, incoming, 2, 11).put(50, incoming, 3, 4);
            assertEquals(25, src.readerIndex());
            assertContent();
        }
    }

    @Test
    void shouldTransferBytesToByteBuffersOfEachKind() {
        for (ByteBuffer dst : List.of(ByteBuffer.allocate(30), ByteBuffer.allocateDirect(30))) {
            dst.position(3).limit(23);
            buffer.getBytes(9, dst);
            assertEquals(23, dst.position());
            assertEquals(ByteBuffer.wrap(bytes, 9, 20), dst.flip().position(3));
            dst.clear();
            buffer.getBytes(SIZE - 4, dst);
            assertEquals(4, dst.position(), "the bytes that fit within the capacity");
            assertEquals(30, dst.limit());
            buffer.getBytes(SIZE, dst);
            assertEquals(4, dst.position(), "no bytes are left");
            buffer.setIndex(2, SIZE);
            dst.clear().limit(7);
            buffer.readBytes(dst);
            assertEquals(ByteBuffer.wrap(bytes, 2, 7), dst.flip());
            assertEquals(9, buffer.readerIndex());
        }
    }

    @Test
    void shouldTransferBytesFromByteBuffersOfEachKind() {
        assumeFalse(kind.readOnly());
        byte[] incoming = new byte[30];
        random.nextBytes(incoming);
        ByteBuffer direct = ByteBuffer.allocateDirect(30).put(incoming).flip();
        for (ByteBuffer src : List.of(ByteBuffer.wrap(incoming), direct, direct.asReadOnlyBuffer())) {
            src.position(3).limit(28);
            buffer.setBytes(11, src);
            assertEquals(28, src.position());
            assertEquals(28, src.limit());
            model.put(11, incoming, 3, 25);
            assertContent();
        }
    }

    @Test
    void shouldOverwriteItselfAsIfThroughACopy() {
        assumeFalse(kind.readOnly());
        buffer.setBytes(5, buffer, 0, 40);
        model.put(5, bytes, 0, 40);
        assertContent();
        byte[] now = all(buffer);
        buffer.setBytes(0, buffer.slice(), 9, 40);
        model.put(0, now, 9, 40);
        assertContent();
        now = all(buffer);
        buffer.getBytes(2, buffer.duplicate(), 7, 50);
        model.put(7, now, 2, 50);
        assertContent();
    }

    @Test
    void shouldSetZeros() {
        assumeFalse(kind.readOnly());
        buffer.setZero(3, 29);
        model.put(3, new byte[29]);
        assertContent();
        buffer.writerIndex(40);
        buffer.writeZero(7);
        model.put(40, new byte[7]);
        assertContent();
        assertEquals(47, buffer.writerIndex());
        assertThrows(IllegalArgumentException.class, () -> buffer.writeZero(-1));
    }

    @Test
    void shouldWriteToStreams() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        buffer.getBytes(4, out, 50);
        assertArrayEquals(Arrays.copyOfRange(bytes, 4, 54), out.toByteArray());
        buffer.readBytes(out, 3);
        assertEquals(53, out.size());
        assertEquals(3, buffer.readerIndex());
    }

    @Test
    void shouldReadFromStreamsThatArriveInPieces() throws IOException {
        assumeFalse(kind.readOnly());
        byte[] incoming = new byte[40];
        random.nextBytes(incoming);
        assertEquals(33, buffer.setBytes(5, oneByteAtATime(incoming), 33));
        model.put(5, incoming, 0, 33);
        assertContent();

        buffer.writerIndex(10);
        assertEquals(40, buffer.writeBytes(oneByteAtATime(incoming), 45), "everything up to the end of the stream");
        model.put(10, incoming);
        assertEquals(50, buffer.writerIndex());
        assertContent();

        assertEquals(-1, buffer.writeBytes(new ByteArrayInputStream(new byte[0]), 5));
        assertEquals(-1, buffer.writeBytes(new ByteArrayInputStream(new byte[0]), 0), "the end is reported");
        assertEquals(-1, buffer.setBytes(7, new ByteArrayInputStream(new byte[0]), 0));
        assertEquals(0, buffer.setBytes(7, new ByteArrayInputStream(new byte[1]), 0));
        assertEquals(50, buffer.writerIndex());
        assertContent();
    }

    @Test
    void shouldWriteToChannelsAsMuchAsTheyTake() throws IOException {
        ScriptedChannel channel = ScriptedChannel.taking(25);
        assertEquals(25, buffer.getBytes(4, channel, 50));
        assertEquals(1, channel.calls);
        assertArrayEquals(Arrays.copyOfRange(bytes, 4, 29), channel.taken());

        ScriptedChannel full = ScriptedChannel.taking(0);
        assertEquals(0, buffer.readBytes(full, 50));
        assertEquals(0, buffer.readerIndex());
        ScriptedChannel greedy = ScriptedChannel.taking(1000);
        assertEquals(50, buffer.readBytes(greedy, 50));
        assertEquals(50, buffer.readerIndex());
        assertArrayEquals(Arrays.copyOf(bytes, 50), greedy.taken());
    }

    @Test
    void shouldReadFromChannelsAsMuchAsTheyGive() throws IOException {
        assumeFalse(kind.readOnly());
        byte[] incoming = new byte[40];
        random.nextBytes(incoming);
        assertEquals(33, buffer.setBytes(5, ScriptedChannel.giving(7, incoming), 33));
        model.put(5, incoming, 0, 33);
        assertContent();

        buffer.writerIndex(10);
        assertEquals(40, buffer.writeBytes(ScriptedChannel.giving(7, incoming), 45), "nothing more for now");
        assertEquals(50, buffer.writerIndex());
        assertEquals(0, buffer.writeBytes(ScriptedChannel.giving(7, new byte[0]), 5));
        assertEquals(
                -1, buffer.writeBytes(ScriptedChannel.giving(7, new byte[0]).thenEnd(), 5));
        assertEquals(3, buffer.writeBytes(ScriptedChannel.giving(7, new byte[3]).thenEnd(), 5));
        ScriptedChannel closed = ScriptedChannel.giving(7, incoming);
        closed.close();
        assertEquals(-1, buffer.writeBytes(closed, 5), "a closed channel has ended");
        assertEquals(53, buffer.writerIndex());
    }

    private static InputStream oneByteAtATime(byte[] content) {
        return new ByteArrayInputStream(content) {
            @Override
            public synchronized int read(byte[] dst, int offset, int length) {
                return super.read(dst, offset, Math.min(length, 1));
            }

            @Override
            public int readNBytes(byte[] dst, int offset, int length) {
                int read = 0;
                while (read < length && available() > 0) {
                    read += read(dst, offset + read, length - read);
                }
                return read;
            }
        };
    }
}
