package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** User-defined buffers that check for themselves whether enough bytes are readable. */
class OwnReadCheckTest {
    private static final int CAPACITY = 8;
    private static final IllegalStateException MORE_TO_COME = new IllegalStateException("more to come");

    static Stream<ChannelBuffer> buffers() {
        return Stream.of(
                new BigEndianHeapChannelBuffer(CAPACITY) {
                    @Override
                    protected void checkReadableBytes(int minimumReadableBytes) {
                        check(this, minimumReadableBytes);
                    }
                },
                new ByteBufferBackedChannelBuffer(ByteBuffer.allocateDirect(CAPACITY)) {
                    @Override
                    protected void checkReadableBytes(int minimumReadableBytes) {
                        check(this, minimumReadableBytes);
                    }
                });
    }

    private static void check(ChannelBuffer buffer, int bytes) {
        if (bytes > buffer.readableBytes()) {
            throw MORE_TO_COME;
        }
    }

    /** The length may be within the capacity or beyond it. */
    @ParameterizedTest
    @MethodSource("buffers")
    void shouldAskItsOwnCheckBeforeAnyRead(ChannelBuffer buffer) {
        buffer.setIndex(3, 4);
        for (int length : new int[] {2, CAPACITY, CAPACITY + 1}) {
            byte[] array = new byte[length];
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ScriptedChannel channel = ScriptedChannel.taking(length);
            List<Executable> reads = List.of(
                    () -> buffer.readBytes(length),
                    () -> buffer.readSlice(length),
                    () -> buffer.skipBytes(length),
                    () -> buffer.readBytes(array),
                    () -> buffer.readBytes(array, 0, length),
                    () -> buffer.readBytes(ByteBuffer.wrap(array)),
                    () -> buffer.readBytes(ChannelBuffers.buffer(length)),
                    () -> buffer.readBytes(ChannelBuffers.buffer(length), 0, length),
                    () -> buffer.readBytes(out, length),
                    () -> buffer.readBytes(channel, length),
                    () -> buffer.bytesBefore(length, (byte) 1),
                    () -> buffer.bytesBefore(length, ChannelBufferIndexFinder.CR),
                    buffer::readShort,
                    buffer::readUnsignedMedium,
                    buffer::readInt,
                    buffer::readLong);
            for (Executable read : reads) {
                assertSame(MORE_TO_COME, assertThrows(IllegalStateException.class, read));
            }
            assertEquals(0, out.size() + channel.calls);
            assertEquals(3, buffer.readerIndex());
        }
    }
}
