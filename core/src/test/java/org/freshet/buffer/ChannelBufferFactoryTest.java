package org.freshet.buffer;

import static org.freshet.buffer.ChannelBuffers.BIG_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.EMPTY_BUFFER;
import static org.freshet.buffer.ChannelBuffers.LITTLE_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.hexDump;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChannelBufferFactoryTest {
    static Stream<ChannelBufferFactory> factories() {
        return Stream.of(
                new HeapChannelBufferFactory(),
                new HeapChannelBufferFactory(LITTLE_ENDIAN),
                new DirectChannelBufferFactory(),
                new DirectChannelBufferFactory(16),
                new DirectChannelBufferFactory(LITTLE_ENDIAN),
                new DirectChannelBufferFactory(LITTLE_ENDIAN, 16));
    }

    @ParameterizedTest
    @MethodSource("factories")
    void shouldCreateEmptyBuffersOfTheRequestedOrder(ChannelBufferFactory factory) {
        for (int capacity : new int[] {1, 7, 16, 17, 5000}) {
            ChannelBuffer buffer = factory.getBuffer(capacity);
            assertEquals(factory.getDefaultOrder(), buffer.order());
            assertEquals(capacity, buffer.capacity());
            assertEquals(0, buffer.writerIndex());
            assertEquals("00".repeat(capacity), hexDump(buffer, 0, capacity));
            assertEquals(factory instanceof DirectChannelBufferFactory, buffer.isDirect());
            assertEquals(factory.getClass(), buffer.factory().getClass());
            assertEquals(BIG_ENDIAN, factory.getBuffer(BIG_ENDIAN, capacity).order());
            assertEquals(
                    LITTLE_ENDIAN, factory.getBuffer(LITTLE_ENDIAN, capacity).order());
        }
        assertSame(EMPTY_BUFFER, factory.getBuffer(0));
        assertThrows(IllegalArgumentException.class, () -> factory.getBuffer(-1));
        assertThrows(NullPointerException.class, () -> factory.getBuffer((ByteOrder) null, 1));
    }

    @ParameterizedTest
    @MethodSource("factories")
    void shouldWrapArraysAndByteBuffers(ChannelBufferFactory factory) {
        byte[] array = {1, 2, 3, 4, 5};
        ChannelBuffer ofDefaultOrder = factory.getBuffer(array, 1, 3);
        assertEquals("020304", hexDump(ofDefaultOrder));
        assertEquals(factory.getDefaultOrder(), ofDefaultOrder.order());
        assertEquals("0102030405", hexDump(factory.getBuffer(LITTLE_ENDIAN, array, 0, 5)));
        assertEquals(
                LITTLE_ENDIAN, factory.getBuffer(LITTLE_ENDIAN, array, 0, 5).order());
        assertThrows(IndexOutOfBoundsException.class, () -> factory.getBuffer(array, 3, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> factory.getBuffer(array, 3, Integer.MAX_VALUE));
        assertThrows(NullPointerException.class, () -> factory.getBuffer(null, 0, 0));

        ByteBuffer direct = ByteBuffer.allocateDirect(5).put(array);
        for (ByteBuffer source : List.of(ByteBuffer.wrap(array), direct, direct.asReadOnlyBuffer())) {
            source.order(LITTLE_ENDIAN).position(1).limit(4);
            ChannelBuffer buffer = factory.getBuffer(source);
            assertEquals("020304", hexDump(buffer));
            assertEquals(LITTLE_ENDIAN, buffer.order());
            assertEquals(factory instanceof DirectChannelBufferFactory, buffer.isDirect());
            assertEquals(1, source.position());
            buffer.setByte(0, buffer.getByte(0));
        }
        assertThrows(NullPointerException.class, () -> factory.getBuffer((ByteBuffer) null));
        assertSame(EMPTY_BUFFER, factory.getBuffer(ByteBuffer.allocate(0)));
    }

    @Test
    void shouldShareOneInstancePerOrder() {
        assertSame(HeapChannelBufferFactory.getInstance(), HeapChannelBufferFactory.getInstance(BIG_ENDIAN));
        assertSame(DirectChannelBufferFactory.getInstance(), DirectChannelBufferFactory.getInstance(BIG_ENDIAN));
        assertEquals(
                LITTLE_ENDIAN,
                HeapChannelBufferFactory.getInstance(LITTLE_ENDIAN).getDefaultOrder());
        assertEquals(
                LITTLE_ENDIAN,
                DirectChannelBufferFactory.getInstance(LITTLE_ENDIAN).getDefaultOrder());
        assertThrows(NullPointerException.class, () -> HeapChannelBufferFactory.getInstance(null));
        assertThrows(NullPointerException.class, () -> DirectChannelBufferFactory.getInstance(null));
        assertThrows(NullPointerException.class, () -> new HeapChannelBufferFactory(null));
        assertThrows(IllegalArgumentException.class, () -> new DirectChannelBufferFactory(0));
        assertThrows(IllegalArgumentException.class, () -> new DirectChannelBufferFactory(-1));
    }

    @Test
    void shouldShareArraysOnTheHeapAndCopyThemToDirectMemory() {
        byte[] array = {1, 2, 3};
        ChannelBuffer heap = new HeapChannelBufferFactory().getBuffer(array, 0, 3);
        ChannelBuffer direct = new DirectChannelBufferFactory().getBuffer(array, 0, 3);
        array[0] = 9;
        assertEquals(9, heap.getByte(0));
        assertEquals(1, direct.getByte(0));
        assertFalse(direct.hasArray());
        ChannelBuffer ofByteBuffer = new HeapChannelBufferFactory().getBuffer(ByteBuffer.wrap(array));
        array[1] = 8;
        assertEquals(8, ofByteBuffer.getByte(1));
    }

    @Test
    void shouldShareDirectMemoryThatCanBeWritten() {
        ByteBuffer memory = ByteBuffer.allocateDirect(4);
        ChannelBufferFactory factory = new DirectChannelBufferFactory();
        ChannelBuffer shared = factory.getBuffer(memory);
        ChannelBuffer copied = factory.getBuffer(memory.asReadOnlyBuffer());
        memory.put(1, (byte) 7);
        assertEquals(7, shared.getByte(1));
        assertEquals(0, copied.getByte(1));
    }

    @Test
    void shouldCopyByteBuffersToTheHeapHoweverManyThereAre() {
        ByteBuffer direct = ByteBuffer.allocateDirect(2);
        assertTrue(ChannelBuffers.copiedBuffer(new ByteBuffer[] {direct}).hasArray());
        assertTrue(ChannelBuffers.copiedBuffer(direct, direct).hasArray());
    }

    /** The JVM is slow to allocate direct memory. */
    @Test
    void shouldCutSmallBuffersFromChunksUntilTheseAreUsedUp() {
        ChannelBufferFactory factory = new DirectChannelBufferFactory(1000);
        List<ChannelBuffer> held = new ArrayList<>();
        long before = allocatedDirectBuffers();
        for (int i = 0; i < 400; i++) {
            held.add(factory.getBuffer(250));
        }
        long allocated = allocatedDirectBuffers() - before;
        assertTrue(allocated <= 100 + 10, () -> allocated + " allocations for " + held.size() + " buffers");
    }

    private static long allocatedDirectBuffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
    }

    @Test
    void shouldNeverHandOutTheSameMemoryTwice() throws Exception {
        ChannelBufferFactory factory = new DirectChannelBufferFactory(1000);
        int threads = 4;
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<List<ChannelBuffer>>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Random random = Seeds.random(i);
                int mark = i + 1;
                Callable<List<ChannelBuffer>> allocate = () -> {
                    start.await(30, TimeUnit.SECONDS);
                    List<ChannelBuffer> buffers = new ArrayList<>();
                    for (int round = 0; round < 3000; round++) {
                        ChannelBuffer buffer = factory.getBuffer(1 + random.nextInt(60));
                        while (buffer.writable()) {
                            buffer.writeByte(mark + round % 50);
                        }
                        buffers.add(buffer);
                    }
                    return buffers;
                };
                results.add(executor.submit(allocate));
            }
            for (int i = 0; i < threads; i++) {
                List<ChannelBuffer> buffers = results.get(i).get(30, TimeUnit.SECONDS);
                for (int round = 0; round < buffers.size(); round++) {
                    byte expected = (byte) (i + 1 + round % 50);
                    ChannelBuffer buffer = buffers.get(round);
                    int overwritten = buffer.indexOf(0, buffer.capacity(), (b, at) -> b.getByte(at) != expected);
                    assertEquals(-1, overwritten, () -> "seed " + Seeds.seed());
                }
            }
        } finally {
            executor.shutdownNow();
            assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS), "threads have not ended");
        }
    }
}
