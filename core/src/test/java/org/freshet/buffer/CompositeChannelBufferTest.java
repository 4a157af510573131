package org.freshet.buffer;

import static org.freshet.buffer.ChannelBuffers.BIG_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.LITTLE_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.hexDump;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class CompositeChannelBufferTest {
    private final byte[] first = {1, 2};
    private final byte[] second = {3, 4, 5};
    private final byte[] third = {6, 7, 8, 9};

    private CompositeChannelBuffer composite(boolean gathering) {
        List<ChannelBuffer> parts = List.of(wrappedBuffer(first), wrappedBuffer(second), wrappedBuffer(third));
        return new CompositeChannelBuffer(BIG_ENDIAN, parts, gathering);
    }

    @Test
    void shouldTakeWholeComponentsWhateverTheirIndices() {
        ChannelBuffer partlyRead = wrappedBuffer(new byte[] {1, 2, 3, 4});
        partlyRead.setIndex(1, 3);
        CompositeChannelBuffer composite =
                new CompositeChannelBuffer(BIG_ENDIAN, List.of(partlyRead, ChannelBuffers.buffer(2)), false);
        assertEquals("010203040000", hexDump(composite));
        partlyRead.clear();
        assertEquals("010203040000", hexDump(composite));
    }

    @Test
    void shouldLeaveOutEmptyComponentsOfAnyOrder() {
        CompositeChannelBuffer composite = new CompositeChannelBuffer(
                LITTLE_ENDIAN,
                List.of(ChannelBuffers.EMPTY_BUFFER, wrappedBuffer(LITTLE_ENDIAN, first), ChannelBuffers.EMPTY_BUFFER),
                false);
        assertEquals(1, composite.numComponents());
        assertEquals(0x0201, composite.getShort(0));
        assertEquals(0, new CompositeChannelBuffer(BIG_ENDIAN, List.of(), true).capacity());
        List<ChannelBuffer> mixed = List.of(wrappedBuffer(LITTLE_ENDIAN, first));
        assertThrows(IllegalArgumentException.class, () -> new CompositeChannelBuffer(BIG_ENDIAN, mixed, true));
    }

    @Test
    void shouldBeAnEmptyBufferWithoutComponents() throws IOException {
        CompositeChannelBuffer none = new CompositeChannelBuffer(BIG_ENDIAN, List.of(), true);
        assertEquals(ChannelBuffers.EMPTY_BUFFER, none);
        for (ChannelBuffer empty : List.of(none.slice(), none.duplicate(), none.copy(), none.readBytes(0))) {
            assertEquals(0, empty.capacity());
        }
        assertEquals(List.of(), none.decompose(0, 0));
        assertEquals(0, none.toByteBuffers().length);
        assertEquals(0, none.toByteBuffer().remaining());
        none.setBytes(0, none, 0, 0);
        none.setBytes(0, ByteBuffer.allocate(0));
        none.getBytes(0, new ByteArrayOutputStream(), 0);
        none.getBytes(0, ByteBuffer.allocate(3));
        assertEquals(-1, none.setBytes(0, new ByteArrayInputStream(new byte[0]), 0));
        assertThrows(IndexOutOfBoundsException.class, () -> none.getByte(0));
        assertThrows(IndexOutOfBoundsException.class, () -> none.slice(0, 1));
    }

    @Test
    void shouldListItsComponents() {
        CompositeChannelBuffer composite = composite(true);
        assertEquals(3, composite.numComponents());
        int[] ownerOf = {0, 0, 1, 1, 1, 2, 2, 2, 2};
        byte[][] arrays = {first, second, third};
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < ownerOf.length; i++) {
                int index = round == 0 ? i : ownerOf.length - 1 - i;
                assertSame(arrays[ownerOf[index]], composite.getBuffer(index).array());
            }
        }
        assertSame(second, composite.component(1).array());
        assertThrows(IndexOutOfBoundsException.class, () -> composite.getBuffer(9));
        assertThrows(IndexOutOfBoundsException.class, () -> composite.getBuffer(-1));
        assertTrue(composite.toString().endsWith("cap=9, components=3)"), composite.toString());
    }

    /** Not even the bytes of the first component. */
    @Test
    void shouldCopyNothingIfTheOtherSideIsTooShort() {
        CompositeChannelBuffer composite = composite(true);
        byte[] array = new byte[4];
        ChannelBuffer buffer = wrappedBuffer(array);
        assertThrows(IndexOutOfBoundsException.class, () -> composite.getBytes(0, array, 1, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> composite.getBytes(0, buffer, 1, 4));
        assertEquals("00000000", hexDump(buffer));
        assertThrows(IndexOutOfBoundsException.class, () -> composite.setBytes(0, array, 1, 4));
        assertThrows(IndexOutOfBoundsException.class, () -> composite.setBytes(0, buffer, 1, 4));
        assertEquals("010203040506070809", hexDump(composite));
    }

    @Test
    void shouldTurnAComponentThatIsCompositeIntoItsOwnPieces() {
        CompositeChannelBuffer outer =
                new CompositeChannelBuffer(BIG_ENDIAN, List.of(composite(true), wrappedBuffer(new byte[1])), true);
        assertEquals(2, outer.numComponents());
        assertEquals(4, outer.toByteBuffers(0, 10).length);
        outer.toByteBuffers(0, 10)[1].put(0, (byte) 33);
        assertEquals(33, second[0], "shared");
    }

    /** A user-defined component may support whole numbers only. */
    @Test
    void shouldLeaveANumberWithinOneComponentToThatComponent() {
        ChannelBuffer whole = new BigEndianHeapChannelBuffer(17) {
            @Override
            public boolean hasArray() {
                return false;
            }

            @Override
            public byte getByte(int index) {
                throw new AssertionError("divided");
            }

            @Override
            public void setByte(int index, int value) {
                throw new AssertionError("divided");
            }
        };
        List<ChannelBuffer> parts = List.of(wrappedBuffer(first), whole, wrappedBuffer(second));
        CompositeChannelBuffer composite = new CompositeChannelBuffer(BIG_ENDIAN, parts, false);
        for (int index = 2; index <= 2 + 17 - 8; index++) {
            composite.setLong(index, 0x1122334455667788L);
            assertEquals(0x1122334455667788L, composite.getLong(index));
            composite.setInt(index + 4, 0x99aabbcc);
            assertEquals(0x99aabbcc, composite.getInt(index + 4));
            composite.setMedium(index + 5, 0x123456);
            assertEquals(0x123456, composite.getUnsignedMedium(index + 5));
            composite.setShort(index + 6, 0x7654);
            assertEquals(0x7654, composite.getShort(index + 6));
            assertEquals(0x1122334499127654L, composite.getLong(index));
        }
        composite.setInt(2, 0x01020304);
        assertEquals(0x01020304, composite.getInt(2));
        composite.setMedium(2, 0x0a0b0c);
        assertEquals(0x0a0b0c, composite.getMedium(2));
        composite.setShort(2, 0x0d0e);
        assertEquals(0x0d0e, composite.getShort(2));
    }

    @Test
    void shouldFindEachByteInComponentsOfUnequalSizes() {
        Random random = Seeds.random();
        for (int count = 1; count < 60; count += 1 + random.nextInt(4)) {
            List<ChannelBuffer> parts = new ArrayList<>();
            List<Integer> owners = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int size = random.nextInt(10) == 0 ? 1 + random.nextInt(1000) : 1 + random.nextInt(3);
                parts.add(ChannelBuffers.buffer(size));
                owners.addAll(Collections.nCopies(size, i));
            }
            CompositeChannelBuffer composite = new CompositeChannelBuffer(BIG_ENDIAN, parts, false);
            for (int round = 0; round < 500; round++) {
                int index = random.nextInt(composite.capacity());
                ChannelBuffer owner = parts.get(owners.get(index));
                assertSame(owner, composite.getBuffer(index), () -> "seed " + Seeds.seed());
            }
        }
    }

    @Test
    void shouldDecomposeIntoSlices() {
        List<ChannelBuffer> slices = composite(true).decompose(1, 5);
        assertEquals(
                List.of("02", "030405", "06"),
                slices.stream().map(ChannelBuffers::hexDump).toList());
        slices.get(1).setByte(0, 99);
        assertEquals(99, second[0]);
        assertEquals(List.of(), composite(true).decompose(9, 0));
        assertEquals(1, composite(true).decompose(2, 3).size());
        assertThrows(IndexOutOfBoundsException.class, () -> composite(true).decompose(3, 7));
        assertThrows(IndexOutOfBoundsException.class, () -> composite(true).decompose(10, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> composite(true).decompose(1, Integer.MAX_VALUE));
    }

    @Test
    void shouldNotBeCompositeWhenOneComponentIsEnough() {
        assertTrue(composite(true).slice(2, 3).hasArray());
        assertTrue(composite(true).toByteBuffer(3, 2).array() == second);
        assertEquals(2, ((CompositeChannelBuffer) composite(true).slice(1, 3)).numComponents());
    }

    @Test
    void shouldGatherOnlyWhenAskedTo() throws IOException {
        int[] buffersSeen = new int[2];
        for (boolean gathering : new boolean[] {true, false}) {
            CompositeChannelBuffer composite = composite(gathering);
            ScriptedChannel channel = ScriptedChannel.taking(6);
            assertEquals(6, composite.getBytes(1, channel, 8));
            assertArrayEquals(new byte[] {2, 3, 4, 5, 6, 7}, channel.taken());
            buffersSeen[gathering ? 1 : 0] = channel.largestBatch;
        }
        assertArrayEquals(new int[] {1, 3}, buffersSeen);
    }

    @Test
    void shouldStopReadingAtTheComponentThatWasNotFilled() throws IOException {
        CompositeChannelBuffer composite = composite(true);
        assertEquals(4, composite.setBytes(1, ScriptedChannel.giving(2, new byte[] {21, 22, 23, 24}), 8));
        assertEquals("0115161718" + "06070809", hexDump(composite));
        assertEquals(
                1, composite.setBytes(1, ScriptedChannel.giving(9, new byte[1]).thenEnd(), 8));
        assertEquals(
                -1, composite.setBytes(1, ScriptedChannel.giving(9, new byte[0]).thenEnd(), 8));
        assertEquals(0, composite.setBytes(9, ScriptedChannel.giving(9, new byte[9]), 0));
    }

    @Test
    void shouldReleaseComponentsThatWereRead() {
        CompositeChannelBuffer composite = composite(false);
        composite.skipBytes(3);
        composite.discardReadBytes();
        assertEquals("040506070809", hexDump(composite));
        assertEquals(9, composite.capacity());
        assertEquals(3, composite.writableBytes());
        composite.writeMedium(0x0a0b0c);
        assertEquals("0405060708090a0b0c", hexDump(composite));
        assertArrayEquals(new byte[] {1, 2}, first, "the discarded component is not written to");
        composite.skipBytes(9);
        composite.discardReadBytes();
        assertEquals(1, composite.numComponents());
        assertEquals(9, composite.writableBytes());
    }

    @Test
    void shouldKeepSlicesWhenItsOwnReadBytesAreDiscarded() {
        CompositeChannelBuffer composite = composite(false);
        ChannelBuffer slice = composite.slice(1, 6);
        composite.skipBytes(5);
        composite.discardReadBytes();
        assertEquals("020304050607", hexDump(slice));
    }

    @Test
    void shouldFollowComponentsThatMoveToOtherMemory() {
        ChannelBuffer dynamic = ChannelBuffers.dynamicBuffer(4);
        dynamic.writeInt(0x01020304);
        ChannelBuffer view = dynamic.slice(1, 3);
        CompositeChannelBuffer composite = new CompositeChannelBuffer(BIG_ENDIAN, List.of(dynamic, view), false);
        assertEquals(0x01020304, composite.getInt(0));
        assertEquals(2, composite.getByte(4));
        dynamic.writeInt(5);
        dynamic.setInt(0, 0x11121314);
        assertEquals(0x11121314, composite.getInt(0));
        assertEquals(0x12, composite.getByte(4));
        assertEquals(0x1314, composite.getShort(5));
        composite.setByte(6, 0x24);
        composite.setShort(1, 0x2223);
        assertEquals(0x11222324, dynamic.getInt(0));
        assertEquals(7, composite.duplicate().capacity(), "bytes that grew after a component are not part of it");
    }

    @Test
    void shouldNotCopyBytesThatGrewAfterAComponent() throws IOException {
        ChannelBuffer dynamic = ChannelBuffers.dynamicBuffer(4);
        dynamic.writeInt(0x01020304);
        List<ChannelBuffer> parts = List.of(dynamic, wrappedBuffer(new byte[] {5, 6, 7}));
        CompositeChannelBuffer composite = new CompositeChannelBuffer(BIG_ENDIAN, parts, false);
        dynamic.writeInt(0x11121314);

        ByteBuffer heap = ByteBuffer.allocate(9);
        composite.getBytes(1, heap);
        assertArrayEquals(new byte[] {2, 3, 4, 5, 6, 7, 0, 0, 0}, heap.array());
        assertEquals(6, heap.position());
        assertEquals(9, heap.limit());
        ByteBuffer direct = ByteBuffer.allocateDirect(5);
        composite.getBytes(0, direct);
        assertEquals("0102030405", hexDump(wrappedBuffer(direct.flip())));

        assertEquals("01020304050607", hexDump(wrappedBuffer(composite.toByteBuffer(0, 7))));
        assertEquals("01020304050607", hexDump(composite.copy(0, 7)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        composite.getBytes(0, out, 7);
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7}, out.toByteArray());
        composite.setBytes(2, ByteBuffer.wrap(new byte[] {23, 24, 25, 26}));
        composite.setBytes(0, new ByteArrayInputStream(new byte[] {21, 22}), 2);
        assertEquals("15161718191a07", hexDump(composite));
        assertEquals(0x11121314, dynamic.getInt(4), "nor is it changed");
    }

    @Test
    void shouldNotWriteThroughReadOnlyComponents() {
        byte[] bytes = {1, 2, 3, 4};
        ChannelBuffer readOnly = ChannelBuffers.unmodifiableBuffer(wrappedBuffer(bytes));
        List<ChannelBuffer> parts = List.of(readOnly.slice(1, 3), wrappedBuffer(second), wrappedBuffer(third));
        CompositeChannelBuffer composite = new CompositeChannelBuffer(BIG_ENDIAN, parts, false);
        assertEquals(0x0203, composite.getShort(0));
        assertThrows(ReadOnlyBufferException.class, () -> composite.setByte(0, 9));
        assertThrows(ReadOnlyBufferException.class, () -> composite.setShort(0, 9));
        assertThrows(ReadOnlyBufferException.class, () -> composite.setMedium(0, 9));
        assertThrows(ReadOnlyBufferException.class, () -> composite.setInt(0, 9));
        assertThrows(ReadOnlyBufferException.class, () -> composite.setLong(0, 9));
        assertArrayEquals(new byte[] {1, 2, 3, 4}, bytes);
        assertEquals("030405", hexDump(wrappedBuffer(second)));
    }

    @Test
    void shouldCopyBetweenCompositesOfTheSameParts() {
        ChannelBuffer composite = composite(false);
        ChannelBuffer other = composite.duplicate();
        composite.setBytes(2, other, 0, 6);
        assertEquals("010201020304050609", hexDump(composite));
        composite.getBytes(0, other.slice(1, 7), 1, 6);
        assertEquals("010201020102030409", hexDump(composite));
    }

    @Test
    void shouldAdvanceThePositionOfAByteBufferByTheBytesCopied() {
        CompositeChannelBuffer composite = composite(false);
        ByteBuffer src = ByteBuffer.wrap(new byte[] {20, 21, 22, 23, 24, 25}, 1, 4);
        composite.setBytes(1, src);
        assertEquals(5, src.position());
        assertEquals(5, src.limit());
        assertEquals("0115161718" + "06070809", hexDump(composite));
    }

    @Test
    void shouldAddressTheLastByteOfTwoGibibytes() {
        ChannelBuffer large = ChannelBuffers.buffer(1 << 26);
        large.setLong((1 << 26) - 8, 0x1122334455667788L);
        CompositeChannelBuffer most = new CompositeChannelBuffer(BIG_ENDIAN, Collections.nCopies(31, large), true);
        assertEquals(31 << 26, most.capacity());
        assertEquals(0x88, most.getUnsignedByte(most.capacity() - 1));
        assertEquals(0x7788_0000, most.getInt((1 << 26) * 30 - 2));
        assertThrows(IndexOutOfBoundsException.class, () -> most.getLong(most.capacity() - 7));
        assertThrows(IndexOutOfBoundsException.class, () -> most.slice(1 << 26, Integer.MAX_VALUE));
        assertThrows(
                IllegalArgumentException.class,
                () -> new CompositeChannelBuffer(BIG_ENDIAN, Collections.nCopies(32, large), true));
        List<ChannelBuffer> parts = new ArrayList<>(Collections.nCopies(31, large));
        parts.add(large.slice(0, (1 << 26) - 1));
        assertEquals(Integer.MAX_VALUE, new CompositeChannelBuffer(BIG_ENDIAN, parts, true).capacity());
    }

    @Test
    void shouldBeReadableBySeveralThreadsAtTheSameTime() throws InterruptedException {
        byte[] bytes = new byte[1000];
        Seeds.random().nextBytes(bytes);
        ByteBuffer model = ByteBuffer.wrap(bytes);
        ChannelBuffer composite = BufferKind.COMPOSITE.make(BIG_ENDIAN, bytes, Seeds.random());
        int threads = 4;
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(threads);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int i = 0; i < threads; i++) {
            Random random = Seeds.random(i);
            Thread reader = new Thread(() -> {
                try {
                    start.await();
                    for (int round = 0; round < 100_000; round++) {
                        int index = random.nextInt(bytes.length - 7);
                        assertEquals(model.getLong(index), composite.getLong(index));
                        assertEquals(model.getInt(index), composite.getInt(index));
                        assertEquals(bytes[index], composite.getByte(index));
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                } finally {
                    done.countDown();
                }
            });
            reader.setDaemon(true);
            reader.start();
        }
        start.countDown();
        assertTrue(done.await(30, TimeUnit.SECONDS), "readers have not finished");
        assertNull(failure.get(), () -> "seed " + Seeds.seed() + ": " + failure.get());
    }
}
