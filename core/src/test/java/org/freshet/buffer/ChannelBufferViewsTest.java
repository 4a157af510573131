package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slices, duplicates, copies, and the buffers and arrays of the JDK. */
class ChannelBufferViewsTest extends ChannelBufferContract {
    @Test
    void shouldShareBytesWithItsViews() {
        ChannelBuffer[] views = {buffer.slice(), buffer.duplicate(), buffer.slice(0, SIZE - 1), buffer.readSlice(SIZE)};
        for (ChannelBuffer view : views) {
            assertEquals(order, view.order());
            assertEquals(buffer.factory(), view.factory());
            assertEquals(bytes[9], view.getByte(9));
            if (!kind.readOnly()) {
                buffer.setByte(9, view.getByte(9) + 1);
                assertEquals(buffer.getByte(9), view.getByte(9));
                view.setByte(7, view.getByte(7) + 1);
                assertEquals(view.getByte(7), buffer.getByte(7));
                bytes = all(buffer);
            }
        }
    }

    @Test
    void shouldGiveViewsTheirOwnIndices() {
        buffer.setIndex(10, 30);
        ChannelBuffer slice = buffer.slice();
        ChannelBuffer duplicate = buffer.duplicate();
        ChannelBuffer taken = buffer.readSlice(5);
        assertEquals(15, buffer.readerIndex());
        assertIndices(0, 20, 20, slice);
        assertIndices(10, 30, SIZE, duplicate);
        assertIndices(0, 5, 5, taken);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 10, 20), slice);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 10, 5), taken);
        slice.skipBytes(3);
        duplicate.skipBytes(4);
        assertEquals(15, buffer.readerIndex());
        refuses(() -> slice.getByte(20));
        refuses(() -> taken.getInt(2));
    }

    @Test
    void shouldNestViews() {
        ChannelBuffer nested =
                buffer.slice(5, 50).duplicate().slice(3, 40).slice(0, 30).slice(2, 20);
        assertIndices(0, 20, 20, nested);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 10, 20), nested);
        assertEquals(model.getLong(14), nested.getLong(4));
        ChannelBuffer moved = nested.duplicate();
        moved.skipBytes(4);
        assertEquals(model.getInt(14), moved.duplicate().readInt());
        refuses(() -> nested.getLong(13));
    }

    @Test
    void shouldShareNothingWithItsCopies() {
        buffer.setIndex(10, 30);
        for (ChannelBuffer copy :
                List.of(buffer.copy(), buffer.copy(10, 20), buffer.duplicate().readBytes(20))) {
            assertEquals(order, copy.order());
            assertEquals(0, copy.readerIndex());
            assertEquals(20, copy.writerIndex());
            assertEquals(ChannelBuffers.wrappedBuffer(bytes, 10, 20), copy);
            assertEquals(buffer.isDirect(), copy.isDirect());
            copy.setLong(0, random.nextLong());
            assertArrayEquals(bytes, all(buffer));
        }
    }

    @Test
    void shouldMoveItsReaderPastTheBytesThatItCopies() {
        buffer.setIndex(10, 30);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 10, 7), buffer.readBytes(7));
        assertEquals(17, buffer.readerIndex());
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 17, 13), buffer.readBytes(13));
        assertEquals(30, buffer.readerIndex());
        refuses(() -> buffer.readBytes(1));
    }

    @Test
    void shouldReadBytesIntoArraysAndOtherBuffers() {
        buffer.setIndex(5, 50);
        byte[] array = new byte[7];
        buffer.readBytes(array);
        assertArrayEquals(Arrays.copyOfRange(bytes, 5, 12), array);
        buffer.readBytes(array, 2, 3);
        assertArrayEquals(Arrays.copyOfRange(bytes, 12, 15), Arrays.copyOfRange(array, 2, 5));
        assertEquals(15, buffer.readerIndex());

        ChannelBuffer dst = ChannelBuffers.buffer(20);
        dst.writerIndex(2);
        buffer.readBytes(dst, 4);
        assertIndices(0, 6, 20, dst);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 15, 4), dst.slice(2, 4));
        buffer.readBytes(dst, 6, 5);
        assertIndices(0, 6, 20, dst);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 19, 5), dst.slice(6, 5));
        buffer.readBytes(dst);
        assertIndices(0, 20, 20, dst);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 24, 14), dst.slice(6, 14));
        assertEquals(38, buffer.readerIndex());
        dst.clear();
        buffer.getBytes(3, dst);
        assertIndices(0, 20, 20, dst);
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 3, 20), dst);
        assertEquals(38, buffer.readerIndex());
    }

    @Test
    void shouldReturnAllOfItselfAsASlice() {
        buffer.setIndex(10, 30);
        ChannelBuffer whole = buffer.slice(0, SIZE);
        assertIndices(0, SIZE, SIZE, whole);
        assertArrayEquals(bytes, all(whole));
        assertIndices(10, 30, SIZE, buffer);
    }

    @Test
    void shouldReturnEmptyBuffersForZeroLengths() {
        for (ChannelBuffer empty : List.of(
                buffer.slice(SIZE, 0),
                buffer.readSlice(0),
                buffer.readBytes(0),
                buffer.copy(3, 0),
                buffer.slice(3, 0))) {
            assertIndices(0, 0, 0, empty);
        }
        assertEquals(0, buffer.toByteBuffer(SIZE, 0).remaining());
        assertEquals("", buffer.toString(SIZE, 0, StandardCharsets.UTF_8));
    }

    @Test
    void shouldTurnIntoByteBuffersOfTheSameOrder() {
        buffer.setIndex(10, 30);
        for (ByteBuffer view : List.of(buffer.toByteBuffer(), buffer.toByteBuffer(10, 20))) {
            assertEquals(order, view.order());
            assertEquals(ByteBuffer.wrap(bytes, 10, 20), view);
        }
        ByteBuffer joined = ByteBuffer.allocate(40);
        for (ByteBuffer piece : buffer.toByteBuffers(10, 20)) {
            assertEquals(order, piece.order());
            joined.put(piece);
        }
        for (ByteBuffer piece : buffer.toByteBuffers()) {
            joined.put(piece);
        }
        assertEquals(ByteBuffer.wrap(bytes, 10, 20), joined.slice(0, 20));
        assertEquals(ByteBuffer.wrap(bytes, 10, 20), joined.slice(20, 20));
    }

    @Test
    void shouldShareBytesWithItsByteBufferPieces() {
        assumeFalse(kind.readOnly());
        ByteBuffer[] pieces = buffer.toByteBuffers(10, 20);
        pieces[0].put(pieces[0].position(), (byte) (bytes[10] + 1));
        assertEquals((byte) (bytes[10] + 1), buffer.getByte(10));
    }

    @Test
    void shouldShowItsArrayOrRefuseTo() {
        if (buffer.hasArray()) {
            assertEquals(bytes[17], buffer.array()[buffer.arrayOffset() + 17]);
            buffer.array()[buffer.arrayOffset() + 17]++;
            assertEquals((byte) (bytes[17] + 1), buffer.getByte(17));
        } else {
            assertThrows(UnsupportedOperationException.class, buffer::array);
            assertThrows(UnsupportedOperationException.class, buffer::arrayOffset);
        }
        assertFalse(buffer.hasArray() && buffer.isDirect());
    }

    @Test
    void shouldUnwrapToTheBufferItViews() {
        assumeTrue(buffer instanceof WrappedChannelBuffer);
        ChannelBuffer source = ((WrappedChannelBuffer) buffer).unwrap();
        assertSame(source, ((WrappedChannelBuffer) buffer).unwrap());
        assertEquals(kind.swaps(), source.order() != buffer.order());
        assertTrue(source.capacity() >= buffer.capacity());
    }
}
