package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link ChannelBuffer}, checked for every kind in both byte orders against the JDK's ByteBuffer. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("everyKindInBothOrders")
class ChannelBufferContractTest {
    private static final int SIZE = 61;
    private static final int[] NEVER_AN_INDEX = {-1, Integer.MIN_VALUE, SIZE + 1, Integer.MAX_VALUE};

    private static final List<ChannelBufferIndexFinder> FINDERS = List.of(
            ChannelBufferIndexFinder.NUL,
            ChannelBufferIndexFinder.NOT_NUL,
            ChannelBufferIndexFinder.CR,
            ChannelBufferIndexFinder.NOT_CR,
            ChannelBufferIndexFinder.LF,
            ChannelBufferIndexFinder.NOT_LF,
            ChannelBufferIndexFinder.CRLF,
            ChannelBufferIndexFinder.NOT_CRLF,
            ChannelBufferIndexFinder.LINEAR_WHITESPACE,
            ChannelBufferIndexFinder.NOT_LINEAR_WHITESPACE);

    @Parameter(0)
    BufferKind kind;

    @Parameter(1)
    ByteOrder order;

    private final Random random = Seeds.random();
    private byte[] bytes;
    private ByteBuffer model;
    private ChannelBuffer buffer;

    static Stream<Arguments> everyKindInBothOrders() {
        return Arrays.stream(BufferKind.values())
                .flatMap(kind -> Stream.of(
                        Arguments.of(kind, ByteOrder.BIG_ENDIAN), Arguments.of(kind, ByteOrder.LITTLE_ENDIAN)));
    }

    @BeforeEach
    void makeBuffer() {
        bytes = new byte[SIZE];
        random.nextBytes(bytes);
        model = ByteBuffer.wrap(bytes.clone()).order(order);
        buffer = kind.make(order, bytes, random);
    }

    @Test
    void shouldInitiallyBeReadableAsAWhole() {
        assertEquals(SIZE, buffer.capacity());
        assertEquals(0, buffer.readerIndex());
        assertEquals(SIZE, buffer.writerIndex());
        assertEquals(SIZE, buffer.readableBytes());
        assertEquals(0, buffer.writableBytes());
        assertTrue(buffer.readable());
        assertFalse(buffer.writable());
        assertEquals(order, buffer.order());
        assertEquals(buffer.isDirect(), buffer.factory().getBuffer(1).isDirect());
    }

    @Test
    void shouldReadNumbersOfEachWidthAtEachIndex() {
        for (int i = 0; i < SIZE; i++) {
            assertEquals(bytes[i], buffer.getByte(i));
            assertEquals(bytes[i] & 0xff, buffer.getUnsignedByte(i));
        }
        for (int i = 0; i <= SIZE - 2; i++) {
            assertEquals(model.getShort(i), buffer.getShort(i));
            assertEquals(model.getShort(i) & 0xffff, buffer.getUnsignedShort(i));
            assertEquals(model.getChar(i), buffer.getChar(i));
        }
        for (int i = 0; i <= SIZE - 3; i++) {
            assertEquals(medium(i), buffer.getUnsignedMedium(i));
            assertEquals(medium(i) << 8 >> 8, buffer.getMedium(i));
        }
        for (int i = 0; i <= SIZE - 4; i++) {
            assertEquals(model.getInt(i), buffer.getInt(i));
            assertEquals(model.getInt(i) & 0xffff_ffffL, buffer.getUnsignedInt(i));
            assertEquals(model.getInt(i), Float.floatToRawIntBits(buffer.getFloat(i)));
        }
        for (int i = 0; i <= SIZE - 8; i++) {
            assertEquals(model.getLong(i), buffer.getLong(i));
            assertEquals(model.getLong(i), Double.doubleToRawLongBits(buffer.getDouble(i)));
        }
        assertEquals(0, buffer.readerIndex());
    }

    @Test
    void shouldWriteNumbersOfEachWidthAtEachIndex() {
        assumeFalse(kind.readOnly());
        for (int i = 0; i <= SIZE - 8; i++) {
            long value = random.nextLong();
            buffer.setLong(i, value);
            model.putLong(i, value);
            buffer.setInt(i + 1, (int) value);
            model.putInt(i + 1, (int) value);
            buffer.setMedium(i + 3, (int) value);
            putMedium(i + 3, (int) value);
            assertContent();
            buffer.setShort(i + 4, (int) value);
            model.putShort(i + 4, (short) value);
            buffer.setByte(i + 7, (int) value);
            model.put(i + 7, (byte) value);
            assertContent();
        }
        buffer.setFloat(3, 1.5f);
        model.putFloat(3, 1.5f);
        buffer.setDouble(11, -2.25);
        model.putDouble(11, -2.25);
        buffer.setChar(30, 0x12345);
        model.putChar(30, (char) 0x2345);
        assertContent();
    }

    @Test
    void shouldFindAByteThatIsTheFirst() {
        assertEquals(0, buffer.bytesBefore(0, SIZE, bytes[0]));
        assertEquals(0, buffer.bytesBefore(7, 1, bytes[7]));
        assertEquals(-1, buffer.bytesBefore(7, 0, bytes[7]));
        assertEquals(0, buffer.bytesBefore(0, SIZE, (b, index) -> true));
    }

    @Test
    void shouldReadRelativelyWhatWasWrittenRelatively() {
        assumeFalse(kind.readOnly());
        buffer.clear();
        buffer.writeByte(0x1ff);
        buffer.writeShort(-2);
        buffer.writeMedium(0x80_0001);
        buffer.writeMedium(0x80_0001);
        buffer.writeInt(-3);
        buffer.writeInt(-3);
        buffer.writeLong(Long.MIN_VALUE + 1);
        buffer.writeChar('x');
        buffer.writeFloat(0.5f);
        buffer.writeDouble(0.25);
        buffer.writeByte(-1);
        assertEquals(40, buffer.writerIndex());

        assertEquals(-1, buffer.readByte());
        assertEquals(0xfffe, buffer.readUnsignedShort());
        assertEquals(0x80_0001 - 0x100_0000, buffer.readMedium());
        assertEquals(0x80_0001, buffer.readUnsignedMedium());
        assertEquals(-3, buffer.readInt());
        assertEquals(0xffff_fffdL, buffer.readUnsignedInt());
        assertEquals(Long.MIN_VALUE + 1, buffer.readLong());
        assertEquals('x', buffer.readChar());
        assertEquals(0.5f, buffer.readFloat());
        assertEquals(0.25, buffer.readDouble());
        assertEquals(255, buffer.readUnsignedByte());
        assertFalse(buffer.readable());
        assertEquals(40, buffer.readerIndex());
    }

    @Test
    void shouldRefuseIndicesOutsideItsCapacity() {
        for (int index : NEVER_AN_INDEX) {
            refuses(() -> buffer.getByte(index));
            refuses(() -> buffer.getShort(index));
            refuses(() -> buffer.getMedium(index));
            refuses(() -> buffer.getInt(index));
            refuses(() -> buffer.getLong(index));
            refuses(() -> buffer.getBytes(index, new byte[1]));
            refuses(() -> buffer.getBytes(index, new byte[0]));
            refuses(() -> buffer.getBytes(index, ByteBuffer.allocate(1)));
            refuses(() -> buffer.getBytes(index, ChannelBuffers.buffer(1)));
            refuses(() -> buffer.getBytes(index, new ByteArrayOutputStream(), 0));
            refuses(() -> buffer.getBytes(index, ScriptedChannel.taking(1), 0));
            refuses(() -> buffer.slice(index, 0));
            refuses(() -> buffer.copy(index, 0));
            refuses(() -> buffer.toByteBuffer(index, 0));
            refuses(() -> buffer.toByteBuffers(index, 0));
            refuses(() -> buffer.toString(index, 0, StandardCharsets.US_ASCII));
            refuses(() -> buffer.bytesBefore(index, 0, (byte) 0));
            refuses(() -> buffer.bytesBefore(index, 0, ChannelBufferIndexFinder.NUL));
        }
    }

    @Test
    void shouldRefuseLengthsBeyondItsCapacity() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, SIZE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1}) {
            refuses(() -> buffer.getBytes(1, new byte[8], 0, length));
            refuses(() -> buffer.getBytes(1, ChannelBuffers.buffer(8), 0, length));
            refuses(() -> buffer.getBytes(1, ChannelBuffers.buffer(8), length));
            refuses(() -> buffer.getBytes(1, new ByteArrayOutputStream(), length));
            refuses(() -> buffer.getBytes(1, ScriptedChannel.taking(1), length));
            refuses(() -> buffer.slice(1, length));
            refuses(() -> buffer.copy(1, length));
            refuses(() -> buffer.toByteBuffer(1, length));
            refuses(() -> buffer.toByteBuffers(1, length));
            refuses(() -> buffer.toString(1, length, StandardCharsets.US_ASCII));
            refuses(() -> buffer.bytesBefore(1, length, (byte) 0));
        }
        refuses(() -> buffer.getShort(SIZE - 1));
        refuses(() -> buffer.getUnsignedMedium(SIZE - 2));
        refuses(() -> buffer.getInt(SIZE - 3));
        refuses(() -> buffer.getLong(SIZE - 7));
        refuses(() -> buffer.getBytes(0, new byte[4], 3, 2));
        refuses(() -> buffer.getBytes(0, new byte[4], -1, 2));
        refuses(() -> buffer.getBytes(0, ChannelBuffers.buffer(4), 3, 2));
        refuses(() -> buffer.getBytes(0, ChannelBuffers.buffer(8).slice(2, 4), 3, 2));
    }

    @Test
    void shouldNotTouchTheOtherSideWhenItRefuses() throws IOException {
        OutputStream out = new OutputStream() {
            @Override
            public void write(int value) {
                throw new AssertionError("written");
            }
        };
        refuses(() -> buffer.getBytes(SIZE - 3, out, 4));
        ByteBuffer small = ByteBuffer.allocate(4);
        refuses(() -> buffer.getBytes(SIZE + 1, small));
        assertEquals(0, small.position());

        assumeFalse(kind.readOnly());
        InputStream in = new ByteArrayInputStream(new byte[4]);
        refuses(() -> buffer.setBytes(SIZE - 3, in, 4));
        assertEquals(4, in.available());
        ByteBuffer source = ByteBuffer.allocate(4);
        refuses(() -> buffer.setBytes(SIZE - 3, source));
        assertEquals(0, source.position());
        byte[] pieces = new byte[8];
        ChannelBuffer composite = ChannelBuffers.wrappedBuffer(
                ChannelBuffers.wrappedBuffer(pieces, 0, 2), ChannelBuffers.wrappedBuffer(pieces, 2, 6));
        refuses(() -> buffer.setBytes(SIZE - 3, composite, 0, 4));
        assertContent();
    }

    @Test
    void shouldChangeNothingWhenItRefusesToWrite() {
        assumeFalse(kind.readOnly());
        for (int index : NEVER_AN_INDEX) {
            refuses(() -> buffer.setByte(index, 1));
            refuses(() -> buffer.setShort(index, 1));
            refuses(() -> buffer.setMedium(index, 1));
            refuses(() -> buffer.setInt(index, 1));
            refuses(() -> buffer.setLong(index, 1));
            refuses(() -> buffer.setBytes(index, new byte[0]));
            refuses(() -> buffer.setBytes(index, ByteBuffer.allocate(0)));
            refuses(() -> buffer.setBytes(index, ChannelBuffers.buffer(4), 0, 0));
            refuses(() -> buffer.setZero(index, 0));
            refuses(() -> buffer.setBytes(index, new ByteArrayInputStream(new byte[4]), 0));
            refuses(() -> buffer.setBytes(index, ScriptedChannel.giving(4, new byte[4]), 0));
        }
        refuses(() -> buffer.setShort(SIZE - 1, 1));
        refuses(() -> buffer.setMedium(SIZE - 2, 1));
        refuses(() -> buffer.setMedium(SIZE - 1, 1));
        refuses(() -> buffer.setMedium(-2, 1));
        refuses(() -> buffer.setInt(SIZE - 3, 1));
        refuses(() -> buffer.setLong(SIZE - 7, 1));
        refuses(() -> buffer.setBytes(SIZE - 3, new byte[4]));
        refuses(() -> buffer.setBytes(0, new byte[4], 3, 2));
        refuses(() -> buffer.setBytes(SIZE - 3, ByteBuffer.allocate(4)));
        refuses(() -> buffer.setBytes(SIZE - 3, ChannelBuffers.wrappedBuffer(new byte[4])));
        refuses(() -> buffer.setBytes(0, ChannelBuffers.wrappedBuffer(new byte[4]), 5));
        refuses(() -> buffer.setBytes(0, ChannelBuffers.wrappedBuffer(new byte[8], 2, 4), 3, 2));
        refuses(() -> buffer.setZero(SIZE - 3, 4));
        refuses(() -> buffer.setBytes(SIZE - 3, new ByteArrayInputStream(new byte[4]), 4));
        refuses(() -> buffer.setBytes(SIZE - 3, ScriptedChannel.giving(4, new byte[4]), 4));
        assertThrows(IllegalArgumentException.class, () -> buffer.setZero(0, -1));
        assertContent();
    }

    @Test
    void shouldNotReadBeyondTheWriterIndex() {
        buffer.setIndex(10, 13);
        refuses(buffer::readInt);
        refuses(buffer::readLong);
        refuses(() -> buffer.readBytes(4));
        refuses(() -> buffer.readBytes(-1));
        refuses(() -> buffer.readSlice(4));
        refuses(() -> buffer.readSlice(-1));
        refuses(() -> buffer.skipBytes(4));
        refuses(() -> buffer.skipBytes(-1));
        refuses(() -> buffer.readBytes(new byte[4]));
        refuses(() -> buffer.readBytes(ByteBuffer.allocate(4)));
        refuses(() -> buffer.readBytes(ChannelBuffers.buffer(4)));
        refuses(() -> buffer.readBytes(new ByteArrayOutputStream(), 4));
        refuses(() -> buffer.readBytes(ScriptedChannel.taking(4), 4));
        refuses(() -> buffer.readBytes(ChannelBuffers.buffer(2), 3));
        refuses(() -> buffer.bytesBefore(4, (byte) 0));
        refuses(() -> buffer.bytesBefore(4, ChannelBufferIndexFinder.NUL));
        assertEquals(10, buffer.readerIndex());
        assertEquals(medium(10), buffer.readUnsignedMedium());
        refuses(buffer::readByte);
    }

    @Test
    void shouldKeepItsIndicesInOrder() {
        buffer.setIndex(10, 20);
        refuses(() -> buffer.readerIndex(21));
        refuses(() -> buffer.readerIndex(-1));
        refuses(() -> buffer.writerIndex(9));
        refuses(() -> buffer.writerIndex(SIZE + 1));
        refuses(() -> buffer.setIndex(21, 20));
        refuses(() -> buffer.setIndex(-1, 20));
        refuses(() -> buffer.setIndex(0, SIZE + 1));
        assertEquals(10, buffer.readerIndex());
        assertEquals(20, buffer.writerIndex());
        buffer.readerIndex(20);
        buffer.writerIndex(SIZE);
        buffer.clear();
        assertEquals(0, buffer.readerIndex());
        assertEquals(0, buffer.writerIndex());
    }

    @Test
    void shouldGoBackToItsMarks() {
        buffer.setIndex(10, 20);
        buffer.markReaderIndex();
        buffer.markWriterIndex();
        buffer.setIndex(15, 40);
        buffer.resetReaderIndex();
        buffer.resetWriterIndex();
        assertEquals(10, buffer.readerIndex());
        assertEquals(20, buffer.writerIndex());
        buffer.setIndex(0, 5);
        refuses(buffer::resetReaderIndex);
        buffer.setIndex(21, 22);
        refuses(buffer::resetWriterIndex);
        assertEquals(21, buffer.readerIndex());
        assertEquals(22, buffer.writerIndex());
    }

    @Test
    void shouldMoveContentAndMarksWhenReadBytesAreDiscarded() {
        assumeFalse(kind.readOnly());
        buffer.setIndex(20, 50);
        buffer.markReaderIndex();
        buffer.writerIndex(10 + 20);
        buffer.markWriterIndex();
        buffer.setIndex(13, 50);
        buffer.discardReadBytes();
        assertEquals(0, buffer.readerIndex());
        assertEquals(37, buffer.writerIndex());
        assertEquals(SIZE, buffer.capacity());
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 13, 37), buffer);
        buffer.resetWriterIndex();
        buffer.resetReaderIndex();
        assertEquals(7, buffer.readerIndex());
        assertEquals(17, buffer.writerIndex());
        buffer.readerIndex(17);
        buffer.discardReadBytes();
        buffer.writerIndex(1);
        buffer.resetReaderIndex();
        assertEquals(0, buffer.readerIndex(), "a mark before the discarded bytes");
    }

    @Test
    void shouldDiscardNothingIfNothingWasRead() {
        assumeFalse(buffer instanceof ReadOnlyChannelBuffer);
        buffer.discardReadBytes();
        assertIndices(0, SIZE, SIZE, buffer);
        assertContent();
    }

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
    void shouldFindBytesInBothDirections() {
        for (int round = 0; round < 300; round++) {
            byte value = bytes[random.nextInt(SIZE)];
            int from = random.nextInt(SIZE + 10) - 5;
            int to = random.nextInt(SIZE + 10) - 5;
            int expected = searchPlainly(from, to, value);
            assertEquals(expected, buffer.indexOf(from, to, value), () -> "seed " + Seeds.seed());
            assertEquals(expected, buffer.indexOf(from, to, (b, index) -> b.getByte(index) == value));
        }
        assertEquals(-1, buffer.indexOf(-5, -1, bytes[0]));
        assertEquals(0, buffer.indexOf(Integer.MIN_VALUE, Integer.MAX_VALUE, bytes[0]));
        assertEquals(SIZE - 1, buffer.indexOf(Integer.MAX_VALUE, Integer.MIN_VALUE, bytes[SIZE - 1]));
        assertThrows(NullPointerException.class, () -> buffer.indexOf(0, 1, null));
    }

    @Test
    void shouldFindTheSameWithEachConstantAsWithAUsersFinder() {
        assumeFalse(kind.readOnly());
        byte[] likely = {0, '\r', '\n', ' ', '\t', 'x', 1, (byte) 0x80, (byte) 0x8a, (byte) 0xff};
        for (ChannelBufferIndexFinder constant : FINDERS) {
            boolean rare = random.nextBoolean();
            for (int i = 0; i < SIZE; i++) {
                buffer.setByte(i, likely[rare && random.nextInt(20) > 0 ? 5 : random.nextInt(likely.length)]);
            }
            ChannelBufferIndexFinder own = (b, index) -> constant.find(b, index);
            for (int round = 0; round < 50; round++) {
                int from = random.nextInt(SIZE + 5) - 2;
                int to = random.nextInt(SIZE + 5) - 2;
                int expected = buffer.indexOf(from, to, own);
                assertEquals(expected, buffer.indexOf(from, to, constant), () -> "seed " + Seeds.seed());
            }
        }
    }

    @Test
    void shouldCountBytesBeforeAHit() {
        assumeFalse(kind.readOnly());
        buffer.setZero(0, SIZE);
        buffer.setByte(20, 7);
        buffer.setIndex(5, 40);
        assertEquals(15, buffer.bytesBefore((byte) 7));
        assertEquals(15, buffer.bytesBefore(ChannelBufferIndexFinder.NOT_NUL));
        assertEquals(-1, buffer.bytesBefore(15, (byte) 7));
        assertEquals(15, buffer.bytesBefore(16, (byte) 7));
        assertEquals(-1, buffer.bytesBefore(15, ChannelBufferIndexFinder.NOT_NUL));
        assertEquals(3, buffer.bytesBefore(17, 44, (byte) 7));
        assertEquals(3, buffer.bytesBefore(17, 4, ChannelBufferIndexFinder.NOT_NUL));
        assertEquals(-1, buffer.bytesBefore(17, 3, (byte) 7));
        assertEquals(-1, buffer.bytesBefore(21, 40, (byte) 7));
    }

    @Test
    void shouldEqualAndOrderByContentAlone() {
        for (BufferKind other : BufferKind.values()) {
            for (ByteOrder otherOrder : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                ChannelBuffer same = other.make(otherOrder, bytes, random);
                assertEquals(buffer, same);
                assertEquals(buffer.hashCode(), same.hashCode());
                assertEquals(0, buffer.compareTo(same));
                same.skipBytes(1);
                assertFalse(buffer.equals(same));
                assertEquals(buffer.slice(1, SIZE - 1), same);
                same.setIndex(0, SIZE - 2);
                assertEquals(2, buffer.compareTo(same), "a prefix comes first");
                assertEquals(-2, same.compareTo(buffer));
                for (int differsAt : new int[] {0, 7, 31, SIZE - 1}) {
                    byte[] changed = bytes.clone();
                    changed[differsAt]++;
                    ChannelBuffer different = other.make(otherOrder, changed, random);
                    int sign = (bytes[differsAt] & 0xff) < (changed[differsAt] & 0xff) ? -1 : 1;
                    assertFalse(buffer.equals(different));
                    assertEquals(sign, buffer.compareTo(different));
                    assertEquals(-sign, different.compareTo(buffer));
                }
            }
        }
        assertFalse(buffer.equals(null));
        assertFalse(buffer.equals("text"));
    }

    @Test
    void shouldDecodeText() {
        byte[] text = "a\u00e9\u20ac\ud83d\ude00z".getBytes(StandardCharsets.UTF_8);
        ChannelBuffer encoded = kind.make(order, text, random);
        assertEquals("a\u00e9\u20ac\ud83d\ude00z", encoded.toString(StandardCharsets.UTF_8));
        assertEquals("\u20ac", encoded.toString(3, 3, StandardCharsets.UTF_8));
        assertEquals("\ufffd\u20ac", encoded.toString(2, 4, StandardCharsets.UTF_8), "malformed");
        encoded.skipBytes(1);
        assertEquals("\u00c3", encoded.toString(StandardCharsets.ISO_8859_1).substring(0, 1));
    }

    @Test
    void shouldDescribeItselfWithoutItsBytes() {
        buffer.setIndex(10, 30);
        String text = buffer.toString();
        assertTrue(text.startsWith(buffer.getClass().getSimpleName() + "(ridx=10, widx=30, cap=61"), text);
    }

    @Test
    void shouldRefuseToGrowUnlessDynamic() {
        assumeFalse(kind.readOnly());
        assumeFalse(kind.grows());
        buffer.ensureWritableBytes(0);
        buffer.ensureWritableBytes(-1);
        refuses(() -> buffer.ensureWritableBytes(1));
        refuses(() -> buffer.ensureWritableBytes(Integer.MAX_VALUE));
        buffer.writerIndex(SIZE - 7);
        refuses(() -> buffer.writeLong(1));
        refuses(() -> buffer.writeBytes(new byte[8]));
        refuses(() -> buffer.writeBytes(ByteBuffer.allocate(8)));
        refuses(() -> buffer.writeBytes(ChannelBuffers.wrappedBuffer(new byte[8])));
        refuses(() -> buffer.writeZero(8));
        assertEquals(SIZE - 7, buffer.writerIndex());
        assertContent();
    }

    @Test
    void shouldGrowWithWritesIfDynamic() {
        assumeTrue(kind.grows());
        ByteBuffer expected = ByteBuffer.allocate(1000).order(order).put(bytes);
        List<ObjIntConsumer<ChannelBuffer>> writes = List.of(
                (b, v) -> b.writeByte(v),
                (b, v) -> b.writeShort(v),
                (b, v) -> b.writeInt(v),
                (b, v) -> b.writeLong(v),
                (b, v) -> b.writeBytes(bytes),
                (b, v) -> b.writeBytes(ByteBuffer.wrap(bytes)),
                (b, v) -> b.writeBytes(ChannelBuffers.wrappedBuffer(bytes)),
                (b, v) -> b.writeZero(v & 63));
        for (int round = 0; round < 20; round++) {
            int write = random.nextInt(writes.size());
            int value = random.nextInt();
            writes.get(write).accept(buffer, value);
            switch (write) {
                case 0 -> expected.put((byte) value);
                case 1 -> expected.putShort((short) value);
                case 2 -> expected.putInt(value);
                case 3 -> expected.putLong(value);
                case 7 -> expected.put(new byte[value & 63]);
                default -> expected.put(bytes);
            }
            if (expected.remaining() < SIZE + 64) {
                break;
            }
        }
        assertEquals(ChannelBuffers.wrappedBuffer(expected.flip()), buffer);
    }

    @Test
    void shouldRefuseWritesIfReadOnly() {
        assumeTrue(kind.readOnly());
        ChannelBuffer[] all = {
            buffer, buffer.duplicate(), buffer.slice(0, 40), buffer.slice(3, 40).slice(1, 30)
        };
        for (ChannelBuffer view : all) {
            view.setIndex(1, 20);
            List<Executable> writes = List.of(
                    () -> view.setByte(0, 1),
                    () -> view.setShort(0, 1),
                    () -> view.setMedium(0, 1),
                    () -> view.setInt(0, 1),
                    () -> view.setLong(0, 1),
                    () -> view.setZero(0, 9),
                    () -> view.setBytes(0, new byte[3]),
                    () -> view.setBytes(0, ByteBuffer.allocate(3)),
                    () -> view.setBytes(0, ChannelBuffers.wrappedBuffer(new byte[3])),
                    () -> view.setBytes(0, new ByteArrayInputStream(new byte[3]), 3),
                    () -> view.setBytes(0, ScriptedChannel.giving(3, new byte[3]), 3),
                    () -> view.writeByte(1),
                    () -> view.writeBytes(new byte[3]),
                    view::discardReadBytes,
                    () -> view.toByteBuffer().put((byte) 1),
                    () -> view.toByteBuffers()[0].put((byte) 1),
                    view::array,
                    view::arrayOffset);
            writes.forEach(write -> assertThrows(ReadOnlyBufferException.class, write));
            assertFalse(view.hasArray());
        }
        assertContent();
    }

    @Test
    void shouldUnwrapToTheBufferItViews() {
        assumeTrue(buffer instanceof WrappedChannelBuffer);
        ChannelBuffer source = ((WrappedChannelBuffer) buffer).unwrap();
        assertSame(source, ((WrappedChannelBuffer) buffer).unwrap());
        assertEquals(kind.swaps(), source.order() != buffer.order());
        assertTrue(source.capacity() >= buffer.capacity());
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

    private static void refuses(Executable call) {
        IndexOutOfBoundsException error = assertThrows(IndexOutOfBoundsException.class, call);
        assertTrue(
                error.getMessage()
                        .matches("(outside the buffer|not readable|not writable|not 0 <= |cannot grow).*\\d+.*\\d+.*"),
                error::getMessage);
    }

    private static void assertIndices(int reader, int writer, int capacity, ChannelBuffer actual) {
        assertEquals(
                List.of(reader, writer, capacity),
                List.of(actual.readerIndex(), actual.writerIndex(), actual.capacity()));
    }

    private void assertContent() {
        assertArrayEquals(model.array(), all(buffer), () -> "seed " + Seeds.seed());
    }

    private static byte[] all(ChannelBuffer buffer) {
        byte[] all = new byte[buffer.capacity()];
        buffer.getBytes(0, all);
        return all;
    }

    private int medium(int index) {
        int first = bytes[index] & 0xff;
        int middle = (bytes[index + 1] & 0xff) << 8;
        int last = bytes[index + 2] & 0xff;
        return order == ByteOrder.BIG_ENDIAN ? first << 16 | middle | last : last << 16 | middle | first;
    }

    private void putMedium(int index, int value) {
        int big = order == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value) >>> 8;
        model.put(index, (byte) (big >>> 16)).put(index + 1, (byte) (big >>> 8)).put(index + 2, (byte) big);
    }

    private int searchPlainly(int from, int to, byte value) {
        int step = from <= to ? 1 : -1;
        for (int i = from <= to ? from : from - 1; from <= to ? i < to : i >= to; i += step) {
            if (i >= 0 && i < SIZE && bytes[i] == value) {
                return i;
            }
        }
        return -1;
    }
}
