package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.LendingMemory;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages are the same whatever buffers they arrive in, and keep what they hold when the memory is used again. */
class HeadsInAnyBufferTest {
    private enum Reads {
        ARRAY,
        PART_OF_AN_ARRAY,
        DIRECT,
        COMPOSITE,
        /** Overwritten after each read. */
        LENT
    }

    private final LendingMemory memory = new LendingMemory(40_000);
    private final MemoryChannel server = MemoryChannel.connected(new HttpRequestDecoder());

    private static String letters(int count, int first) {
        StringBuilder text = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            text.append((char) ('a' + (first + i) % 26));
        }
        return text.toString();
    }

    private static String request(int headerBytes, int contentBytes) {
        return "PUT /x HTTP/1.1\r\nHost: h\r\nX-A: " + letters(headerBytes, 3) + "\r\nContent-Length: " + contentBytes
                + "\r\n\r\n" + letters(contentBytes, 7);
    }

    private static String described(int headerBytes, int contentBytes) {
        return "PUT /x HTTP/1.1 Host:h X-A:" + letters(headerBytes, 3) + " Content-Length:" + contentBytes + " <"
                + letters(contentBytes, 7) + ">";
    }

    private static String requestInChunks(int chunkBytes) {
        return "PUT /y HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTrailer: X-Check\r\n\r\n"
                + Integer.toHexString(chunkBytes) + ";ext=1\r\n" + letters(chunkBytes, 5)
                + "\r\n0\r\nX-Check: 17\r\n\r\n";
    }

    private void receive(Reads reads, byte[] bytes) {
        switch (reads) {
            case ARRAY -> server.receive(ChannelBuffers.wrappedBuffer(bytes));
            case PART_OF_AN_ARRAY -> {
                byte[] larger = Arrays.copyOf(
                        ("garbage: x\r\n" + new String(bytes, ISO_8859_1)).getBytes(ISO_8859_1), bytes.length + 30);
                server.receive(ChannelBuffers.wrappedBuffer(larger, 12, bytes.length));
            }
            case DIRECT -> {
                ChannelBuffer direct = ChannelBuffers.directBuffer(bytes.length);
                direct.writeBytes(bytes);
                server.receive(direct);
            }
            case COMPOSITE -> {
                int half = bytes.length / 2;
                server.receive(ChannelBuffers.wrappedBuffer(
                        Arrays.copyOf(bytes, half), Arrays.copyOfRange(bytes, half, bytes.length)));
            }
            default ->
                assertEquals(
                        bytes.length > 8192,
                        memory.lend(server, ChannelBuffers.wrappedBuffer(bytes)),
                        "a short read is copied once, so that its messages share the copy");
        }
    }

    /** The descriptions of all messages, after the last read. */
    private List<String> decoded(Reads reads, String input, int readBytes) {
        byte[] bytes = input.getBytes(ISO_8859_1);
        for (int at = 0; at < bytes.length; at += readBytes) {
            receive(reads, Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + readBytes)));
        }
        List<String> descriptions = new ArrayList<>();
        server.takeReceived().forEach(message -> descriptions.add(Decoded.describe(message)));
        server.takeCaught().forEach(failure -> descriptions.add(Decoded.describe(failure)));
        return descriptions;
    }

    /** Sizes around those from which on reads are copied: 8 KB, and a quarter of the read. */
    @ParameterizedTest
    @CsvSource({"5,4", "100,2000", "3000,5000", "7000,1500", "7000,8192", "10,8192", "2200,7000"})
    void shouldDecodeMessagesThatStayTheSame(int headerBytes, int contentBytes) {
        for (Reads reads : Reads.values()) {
            String input = request(headerBytes, contentBytes);
            for (int readBytes : new int[] {input.length() + 20, 2 * input.length(), 1000, 8192, 8193}) {
                assertEquals(
                        List.of(described(headerBytes, contentBytes), described(headerBytes, contentBytes)),
                        decoded(reads, input.repeat(2), readBytes),
                        reads + " of " + readBytes + " bytes");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "4000", "8000", "8100", "8192"})
    void shouldDecodeChunksThatStayTheSame(int chunkBytes) {
        for (Reads reads : Reads.values()) {
            String input = requestInChunks(chunkBytes);
            for (int readBytes : new int[] {input.length(), 3 * input.length(), 59, 4100, 8193}) {
                List<String> each = List.of(
                        "PUT /y HTTP/1.1 Transfer-Encoding:chunked Trailer:X-Check chunked",
                        "chunk " + letters(chunkBytes, 5),
                        "end X-Check:17");
                List<String> expected = new ArrayList<>(each);
                expected.addAll(each);
                assertEquals(
                        expected, decoded(reads, input.repeat(2), readBytes), reads + " of " + readBytes + " bytes");
            }
        }
    }
}
