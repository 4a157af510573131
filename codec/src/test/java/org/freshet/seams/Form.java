package org.freshet.seams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;

/**
 * The messages to write: they identify the thread that wrote them and their order, with bytes that do not compress. Any
 * thread may create messages.
 */
enum Form {
    BUFFER_1_B(1, 60_000),
    BUFFER_1_KIB(1024, 4096),
    BUFFER_64_KIB(64 * 1024, 64),
    STRING_1_B(1, 60_000),
    STRING_1_KIB(1024, 4096),
    STRING_64_KIB(64 * 1024, 64),
    FRAME_1_B(1, 60_000),
    FRAME_1_KIB(1024, 4096),
    FRAME_64_KIB(64 * 1024, 64),
    /** Regions, each with its own descriptor. */
    REGION(1024, 1024);

    /** What a message is charged besides its bytes. */
    static final int OVERHEAD = 96;

    /** What a region is charged, whatever its length. */
    static final int REGION_COST = 16 * 1024;

    /** The number of threads that can be told apart. */
    static final int MAX_THREADS = 4;

    private static final int PERIOD = 64;
    private static final int STEP = 1024;
    private static final byte[] BASE = new byte[2 * PERIOD * STEP];

    static {
        new Random(7).nextBytes(BASE);
    }

    /** The length of a message. */
    final int bytes;

    /** The number of messages: far more than the limit allows and the system's buffers hold. */
    final int count;

    Form(int bytes, int count) {
        this.bytes = bytes;
        this.count = count;
    }

    boolean isRegion() {
        return this == REGION;
    }

    /** The expected charge of a queued message. */
    int charge() {
        return (isRegion() ? REGION_COST : bytes) + OVERHEAD;
    }

    /** The first byte of a message. */
    static byte mark(int thread, int number) {
        return (byte) (thread * PERIOD + number % PERIOD);
    }

    static int thread(byte mark) {
        return (mark & 0xFF) / PERIOD;
    }

    /** The byte at an index of a message with this mark. */
    static byte at(byte mark, int index) {
        return index == 0 ? mark : BASE[(mark & 0xFF) % PERIOD * STEP + index];
    }

    private byte[] content(byte mark) {
        byte[] content = new byte[bytes];
        System.arraycopy(BASE, (mark & 0xFF) % PERIOD * STEP, content, 0, bytes);
        content[0] = mark;
        return content;
    }

    Object message(int thread, int number) {
        byte mark = mark(thread, number);
        return switch (this) {
            case BUFFER_1_B, BUFFER_1_KIB, BUFFER_64_KIB -> ChannelBuffers.wrappedBuffer(content(mark));
            case STRING_1_B, STRING_1_KIB, STRING_64_KIB -> new String(content(mark), ISO_8859_1);
            case FRAME_1_B, FRAME_1_KIB, FRAME_64_KIB ->
                new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(content(mark)));
            case REGION -> region(mark);
        };
    }

    private DefaultFileRegion region(byte mark) {
        try {
            FileChannel file = FileChannel.open(RegionFile.PATH, StandardOpenOption.READ);
            return new DefaultFileRegion(file, (mark & 0xFF) * (long) bytes, bytes, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The descriptors of this process that belong to regions. Linux only; 0 elsewhere. */
    static long openRegions() {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(descriptors)) {
            return all.filter(Form::isRegionFile).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRegionFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(RegionFile.PATH);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    /** Created with the first region. */
    private static final class RegionFile {
        static final Path PATH = make();

        private static Path make() {
            try {
                Path path = Files.createTempFile("freshet-regions", "").toRealPath();
                path.toFile().deleteOnExit();
                byte[] all = new byte[MAX_THREADS * PERIOD * REGION.bytes];
                for (int i = 0; i < MAX_THREADS * PERIOD; i++) {
                    System.arraycopy(REGION.content((byte) i), 0, all, i * REGION.bytes, REGION.bytes);
                }
                return Files.write(path, all);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
