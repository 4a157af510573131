package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.freshet.internal.RegionTarget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultFileRegionTest {
    private static final int SIZE = 1000;

    @TempDir
    private Path directory;

    private final byte[] content = new byte[SIZE];
    private FileChannel file;

    /** Takes a few bytes at a time, and no bytes on every other call, like a socket. */
    private static final class SlowTarget implements WritableByteChannel {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final int atOnce;
        private boolean full;

        SlowTarget(int atOnce) {
            this.atOnce = atOnce;
        }

        @Override
        public int write(ByteBuffer source) {
            full = !full;
            int count = full ? 0 : Math.min(atOnce, source.remaining());
            for (int i = 0; i < count; i++) {
                taken.write(source.get());
            }
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void openFile() throws IOException {
        for (int i = 0; i < SIZE; i++) {
            content[i] = (byte) (i * 31);
        }
        Path path = directory.resolve("content");
        Files.write(path, content);
        file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @AfterEach
    void closeFile() throws IOException {
        file.close();
    }

    private static WritableByteChannel into(ByteArrayOutputStream bytes) {
        return java.nio.channels.Channels.newChannel(bytes);
    }

    /** Has room in the middle. */
    private record Memory(ByteBuffer space) implements RegionTarget {
        @Override
        public int write(ByteBuffer source) {
            throw new AssertionError("the region should read into the memory");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldReadIntoMemoryAsMuchAsItWantsAndNothingBehindItsEnd() throws IOException {
        DefaultFileRegion region = new DefaultFileRegion(file, 100, 30);
        Memory memory = new Memory(ByteBuffer.allocate(50).position(5).limit(25));

        assertEquals(20, region.transferTo(memory, 0));
        memory.space.limit(45);
        assertEquals(10, region.transferTo(memory, 20));

        assertEquals(35, memory.space.position());
        assertEquals(45, memory.space.limit());
        assertArrayEquals(Arrays.copyOfRange(content, 100, 130), Arrays.copyOfRange(memory.space.array(), 5, 35));
        assertEquals(0, memory.space.get(35));
    }

    @Test
    void shouldRefuseToReadIntoMemoryBehindTheEndOfTheFile() throws IOException {
        DefaultFileRegion region = new DefaultFileRegion(file, SIZE - 10, 20);
        Memory memory = new Memory(ByteBuffer.allocate(50));

        assertEquals(10, region.transferTo(memory, 0));
        assertThrows(EOFException.class, () -> region.transferTo(memory, 10));
    }

    @Test
    void shouldKnowItsBounds() {
        DefaultFileRegion region = new DefaultFileRegion(file, 10, 20);
        assertEquals(10, region.getPosition());
        assertEquals(20, region.getCount());
        assertFalse(region.releaseAfterTransfer());
        assertTrue(new DefaultFileRegion(file, 10, 20, true).releaseAfterTransfer());
    }

    @Test
    void shouldTransferFromPositionsWithinTheRegion() throws IOException {
        DefaultFileRegion region = new DefaultFileRegion(file, 10, 20);
        for (int position = 0; position <= 20; position++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            assertEquals(20 - position, region.transferTo(into(bytes), position));
            assertArrayEquals(Arrays.copyOfRange(content, 10 + position, 30), bytes.toByteArray());
        }
    }

    @Test
    void shouldTransferInPiecesToASlowTarget() throws IOException {
        DefaultFileRegion region = new DefaultFileRegion(file, 100, 800);
        SlowTarget target = new SlowTarget(7);
        long position = 0;
        while (position < region.getCount()) {
            position += region.transferTo(target, position);
        }
        assertEquals(800, position);
        assertArrayEquals(Arrays.copyOfRange(content, 100, 900), target.taken.toByteArray());
    }

    @Test
    void shouldLeaveTheFilesOwnPositionAlone() throws IOException {
        file.position(5);
        new DefaultFileRegion(file, 10, 20).transferTo(into(new ByteArrayOutputStream()), 0);
        assertEquals(5, file.position());
    }

    @Test
    void shouldTransferNothingOfAnEmptyRegion() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertEquals(0, new DefaultFileRegion(file, 10, 0).transferTo(into(bytes), 0));
        assertEquals(0, new DefaultFileRegion(file, SIZE + 10, 0).transferTo(into(bytes), 0));
        assertEquals(0, bytes.size());
    }

    @Test
    void shouldRefusePositionsOutsideTheRegion() {
        DefaultFileRegion region = new DefaultFileRegion(file, 10, 20);
        for (long position : new long[] {Long.MIN_VALUE, -1, 21, Long.MAX_VALUE}) {
            IllegalArgumentException refusal = assertThrows(
                    IllegalArgumentException.class,
                    () -> region.transferTo(into(new ByteArrayOutputStream()), position));
            assertTrue(refusal.getMessage().contains(": " + position), refusal.getMessage());
        }
    }

    @Test
    void shouldRefuseImpossibleRegions() {
        refusesRegion("position < 0: -1", -1, 1);
        refusesRegion("count < 0: -1", 1, -1);
        refusesRegion("position + count > Long.MAX_VALUE: 1 + " + Long.MAX_VALUE, 1, Long.MAX_VALUE);
        assertThrows(NullPointerException.class, () -> new DefaultFileRegion(null, 0, 1));
        assertEquals(1, new DefaultFileRegion(file, 1, Long.MAX_VALUE - 1).getPosition());
    }

    private void refusesRegion(String message, long position, long count) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new DefaultFileRegion(file, position, count));
        assertEquals(message, refusal.getMessage());
    }

    @Test
    void shouldSendTheBytesOfATruncatedFileAndThenFail() throws IOException {
        DefaultFileRegion region = new DefaultFileRegion(file, 990, 50);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertEquals(10, region.transferTo(into(bytes), 0));
        IOException refusal = assertThrows(IOException.class, () -> region.transferTo(into(bytes), 10));
        assertTrue(refusal.getMessage().contains("expected 1040 bytes, actual 1000"), refusal.getMessage());
        assertEquals(10, bytes.size());
    }

    @Test
    void shouldNoticeThatTheFileShrinksDuringTheTransfer() throws IOException {
        DefaultFileRegion region = new DefaultFileRegion(file, 0, SIZE);
        file.truncate(100);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertEquals(100, region.transferTo(into(bytes), 0));
        assertThrows(IOException.class, () -> region.transferTo(into(bytes), 100));
    }

    @Test
    void shouldRefuseARegionAfterTheEndOfTheFile() {
        DefaultFileRegion region = new DefaultFileRegion(file, SIZE + 1, 5);
        assertThrows(IOException.class, () -> region.transferTo(into(new ByteArrayOutputStream()), 0));
    }

    @Test
    void shouldSendBytesAppendedLater() throws IOException {
        DefaultFileRegion region = new DefaultFileRegion(file, SIZE, 3);
        file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), SIZE);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertEquals(3, region.transferTo(into(bytes), 0));
        assertArrayEquals(new byte[] {1, 2, 3}, bytes.toByteArray());
    }

    @Test
    void shouldCloseTheFileOnceReleased() {
        DefaultFileRegion region = new DefaultFileRegion(file, 0, 5);
        region.releaseExternalResources();
        assertFalse(file.isOpen());
        region.releaseExternalResources();
        assertThrows(ClosedChannelException.class, () -> region.transferTo(into(new ByteArrayOutputStream()), 0));
    }
}
