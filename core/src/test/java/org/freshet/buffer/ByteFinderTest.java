package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Finders other than the constants, compared with a search of one byte after the other. */
class ByteFinderTest {
    private static final int[] VALUES = {0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff};

    private final Random random = Seeds.random();
    private final byte[] bytes = new byte[40];

    @BeforeEach
    void drawBytes() {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) VALUES[random.nextInt(VALUES.length)];
        }
    }

    @Test
    void shouldFindOneByte() {
        for (int value : VALUES) {
            check(ByteFinder.only(value), b -> b == (byte) value);
        }
    }

    @Test
    void shouldFindEitherOfTwoBytes() {
        for (int one : VALUES) {
            for (int other : VALUES) {
                check(ByteFinder.either(one, other), b -> b == (byte) one || b == (byte) other);
            }
        }
    }

    @Test
    void shouldFindAnyButTwoBytes() {
        for (int one : VALUES) {
            for (int other : VALUES) {
                check(ByteFinder.allBut(one, other), b -> b != (byte) one && b != (byte) other);
            }
        }
    }

    private void check(ByteFinder finder, Wanted wanted) {
        ChannelBuffer heap = ChannelBuffers.wrappedBuffer(bytes);
        ChannelBuffer direct = ChannelBuffers.directBuffer(bytes.length);
        direct.writeBytes(bytes);
        for (int from = 0; from < bytes.length; from++) {
            int expected = from;
            while (expected < bytes.length && !wanted.isWanted(bytes[expected])) {
                expected++;
            }
            int found = expected < bytes.length ? expected : -1;
            assertEquals(found, heap.indexOf(from, bytes.length, finder), () -> "seed " + Seeds.seed());
            assertEquals(found, direct.indexOf(from, bytes.length, finder), () -> "seed " + Seeds.seed());
        }
    }

    private interface Wanted {
        boolean isWanted(byte value);
    }
}
