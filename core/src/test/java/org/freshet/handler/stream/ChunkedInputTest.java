package org.freshet.handler.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One contract for all inputs, then the specifics of each. */
class ChunkedInputTest {
    private static final byte[] CONTENT = new byte[10_000];

    @TempDir
    private static Path directory;

    private static File file;

    @BeforeAll
    static void writeFile() throws IOException {
        Seeds.random().nextBytes(CONTENT);
        Path path = directory.resolve("content");
        Files.write(path, CONTENT);
        file = path.toFile();
    }

    private interface Opener {
        ChunkedInput open(int chunkSize) throws IOException;
    }

    private static FileChannel channel() throws IOException {
        return FileChannel.open(file.toPath());
    }

    private static Stream<Arguments> everyKindAndSize() {
        Stream<Opener> openers = Stream.of(
                size -> new ChunkedFile(file, size),
                size -> new ChunkedFile(new RandomAccessFile(file, "r"), size),
                size -> new ChunkedNioFile(file, size),
                size -> new ChunkedNioFile(channel(), size),
                size -> new ChunkedStream(new ByteArrayInputStream(CONTENT), size),
                size -> new ChunkedNioStream(channel(), size),
                size -> new ChunkedNioStream(Channels.newChannel(new ByteArrayInputStream(CONTENT)), size));
        return openers.flatMap(
                opener -> Stream.of(1, 7, 5_000, 9_999, 10_000, 10_001).map(size -> Arguments.of(opener, size)));
    }

    private static byte[] readAll(ChunkedInput input, int maxChunkBytes) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (!input.isEndOfInput()) {
            assertTrue(input.hasNextChunk());
            ChannelBuffer chunk = (ChannelBuffer) input.nextChunk();
            assertTrue(chunk.readableBytes() > 0 && chunk.readableBytes() <= maxChunkBytes, "size of " + chunk);
            chunk.readBytes(all, chunk.readableBytes());
        }
        assertFalse(input.hasNextChunk());
        assertNull(input.nextChunk());
        return all.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("everyKindAndSize")
    void shouldReturnAllBytesInOrder(Opener opener, int chunkSize) throws Exception {
        ChunkedInput input = opener.open(chunkSize);
        assertArrayEquals(CONTENT, readAll(input, chunkSize));
        input.close();
        assertTrue(input.isEndOfInput());
        assertFalse(input.hasNextChunk());
    }

    @Test
    void shouldReadChunksOf8192BytesByDefault() throws Exception {
        ChunkedInput[] inputs = {
            new ChunkedFile(file),
            new ChunkedFile(new RandomAccessFile(file, "r")),
            new ChunkedNioFile(file),
            new ChunkedNioFile(channel()),
            new ChunkedStream(new ByteArrayInputStream(CONTENT)),
            new ChunkedNioStream(channel())
        };
        for (ChunkedInput input : inputs) {
            assertEquals(
                    8192,
                    ((ChannelBuffer) input.nextChunk()).readableBytes(),
                    input.getClass().getName());
            input.close();
        }
    }

    @Test
    void shouldReportTheProgressOfAFile() throws Exception {
        ChunkedFile plain = new ChunkedFile(new RandomAccessFile(file, "r"), 100, 250, 200);
        FileChannel shared = channel();
        shared.position(7);
        ChunkedNioFile nio = new ChunkedNioFile(shared, 100, 250, 200);
        assertEquals(100, plain.getStartOffset());
        assertEquals(350, plain.getEndOffset());
        assertEquals(100, nio.getStartOffset());
        assertEquals(350, nio.getEndOffset());
        plain.nextChunk();
        nio.nextChunk();
        assertEquals(300, plain.getCurrentOffset());
        assertEquals(300, nio.getCurrentOffset());
        byte[] rest = Arrays.copyOfRange(CONTENT, 300, 350);
        assertArrayEquals(rest, readAll(plain, 200));
        assertArrayEquals(rest, readAll(nio, 200));
        assertEquals(7, shared.position());
        plain.close();
        nio.close();
        assertFalse(shared.isOpen());
    }

    @Test
    void shouldFailWhenTheFileIsShorterThanExpected() throws Exception {
        ChunkedFile plain = new ChunkedFile(new RandomAccessFile(file, "r"), 9_000, 1_001, 2_000);
        ChunkedNioFile nio = new ChunkedNioFile(channel(), 9_000, 1_001, 2_000);
        assertThrows(EOFException.class, plain::nextChunk);
        EOFException e = assertThrows(EOFException.class, nio::nextChunk);
        assertEquals("the file ends at 10000, expected 10001", e.getMessage());
        plain.close();
        nio.close();
    }

    @Test
    void shouldReportHowMuchOfAStreamWasRead() throws Exception {
        ChunkedStream stream = new ChunkedStream(new ByteArrayInputStream(CONTENT), 100);
        ChunkedNioStream nio = new ChunkedNioStream(channel(), 100);
        assertTrue(stream.hasNextChunk() && nio.hasNextChunk());
        assertEquals(0, stream.getTransferredBytes());
        assertEquals(0, nio.getTransferredBytes());
        stream.nextChunk();
        nio.nextChunk();
        assertEquals(100, stream.getTransferredBytes());
        assertEquals(100, nio.getTransferredBytes());
        stream.close();
        nio.close();
    }

    @Test
    void shouldNotWaitForMoreThanAStreamHasAvailable() throws Exception {
        InputStream drop = new InputStream() {
            private int left = 3;

            @Override
            public int read() {
                return left-- > 0 ? left : -1;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                int b = read();
                target[offset] = (byte) b;
                return b < 0 ? -1 : 1;
            }
        };
        ChunkedStream stream = new ChunkedStream(drop, 100);
        assertArrayEquals(new byte[] {2, 1, 0}, readAll(stream, 1));
        stream.close();
    }

    @Test
    void shouldReturnNothingForNowWhenANonBlockingChannelIsEmpty() throws Exception {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        ChunkedNioStream stream = new ChunkedNioStream(pipe.source(), 100);
        assertFalse(stream.hasNextChunk());
        assertNull(stream.nextChunk());
        assertFalse(stream.isEndOfInput());
        pipe.sink().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertEquals(3, ((ChannelBuffer) stream.nextChunk()).readableBytes());
        assertFalse(stream.isEndOfInput());
        pipe.sink().close();
        assertTrue(stream.isEndOfInput());
        stream.close();
        assertFalse(pipe.source().isOpen());
    }

    @Test
    void shouldReturnNothingMoreFromAClosedSource() throws Exception {
        ReadableByteChannel source = channel();
        ChunkedNioStream stream = new ChunkedNioStream(source, 100);
        source.close();
        assertTrue(stream.isEndOfInput());
        RandomAccessFile random = new RandomAccessFile(file, "r");
        ChunkedFile closed = new ChunkedFile(random);
        random.close();
        assertTrue(closed.isEndOfInput());
    }

    @Test
    void shouldNameWhatIsWrongWithItsArguments() throws Exception {
        assertWrong("chunkSize <= 0: 0", () -> new ChunkedFile(file, 0));
        assertWrong("chunkSize <= 0: -1", () -> new ChunkedNioFile(file, -1));
        assertWrong("chunkSize <= 0: 0", () -> new ChunkedStream(new ByteArrayInputStream(CONTENT), 0));
        assertWrong(
                "chunkSize <= 0: 0",
                () -> new ChunkedNioStream(Channels.newChannel(new ByteArrayInputStream(CONTENT)), 0));
        try (FileChannel channel = channel()) {
            assertWrong("offset < 0: -1", () -> new ChunkedNioFile(channel, -1, 1, 1));
            assertWrong("length < 0: -1", () -> new ChunkedNioFile(channel, 1, -1, 1));
            assertWrong(
                    "offset + length > 2^63 - 1: 1 + " + Long.MAX_VALUE,
                    () -> new ChunkedNioFile(channel, 1, Long.MAX_VALUE, 1));
        }
    }

    private static void assertWrong(String message, Executable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
    }
}
