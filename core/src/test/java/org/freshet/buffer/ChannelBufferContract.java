package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks every kind of {@link ChannelBuffer} in both byte orders against the JDK's ByteBuffer. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("everyKindInBothOrders")
abstract class ChannelBufferContract {
    static final int SIZE = 61;
    static final int[] NEVER_AN_INDEX = {-1, Integer.MIN_VALUE, SIZE + 1, Integer.MAX_VALUE};

    @Parameter(0)
    BufferKind kind;

    @Parameter(1)
    ByteOrder order;

    final Random random = Seeds.random();
    byte[] bytes;
    ByteBuffer model;
    ChannelBuffer buffer;

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

    static void refuses(Executable call) {
        IndexOutOfBoundsException error = assertThrows(IndexOutOfBoundsException.class, call);
        assertTrue(
                error.getMessage()
                        .matches("(outside the buffer|not readable|not writable|not 0 <= |cannot grow).*\\d+.*\\d+.*"),
                error::getMessage);
    }

    static void assertIndices(int reader, int writer, int capacity, ChannelBuffer actual) {
        assertEquals(
                List.of(reader, writer, capacity),
                List.of(actual.readerIndex(), actual.writerIndex(), actual.capacity()));
    }

    void assertContent() {
        assertArrayEquals(model.array(), all(buffer), () -> "seed " + Seeds.seed());
    }

    static byte[] all(ChannelBuffer buffer) {
        byte[] all = new byte[buffer.capacity()];
        buffer.getBytes(0, all);
        return all;
    }

    int medium(int index) {
        int first = bytes[index] & 0xff;
        int middle = (bytes[index + 1] & 0xff) << 8;
        int last = bytes[index + 2] & 0xff;
        return order == ByteOrder.BIG_ENDIAN ? first << 16 | middle | last : last << 16 | middle | first;
    }
}
