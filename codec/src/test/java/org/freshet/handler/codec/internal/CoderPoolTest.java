package org.freshet.handler.codec.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoderPoolTest {
    private static final byte[] TEXT =
            "so much depends upon a red wheel barrow ".repeat(40).getBytes(StandardCharsets.UTF_8);

    private final int takenBefore = CoderPool.taken();

    @BeforeEach
    void endIdleCoders() {
        expireAll();
    }

    @Test
    void shouldReuseReturnedCoders() {
        Deflater deflater = CoderPool.takeDeflater(6);
        byte[] first = deflate(deflater);
        deflater.setInput(TEXT); // returned in the middle of a stream
        CoderPool.give(deflater, 6);
        Deflater again = CoderPool.takeDeflater(6);
        assertSame(deflater, again);
        assertArrayEquals(first, deflate(again));
        CoderPool.give(again, 6);
        assertEquals(takenBefore, CoderPool.taken());
    }

    @Test
    void shouldDeflateAtEachLevel() {
        for (int level = -1; level <= 9; level++) {
            Deflater fresh = new Deflater(level, true);
            byte[] expected = deflate(fresh);
            fresh.end();
            for (int i = 0; i < 2; i++) {
                Deflater pooled = CoderPool.takeDeflater(level);
                byte[] deflated = deflate(pooled);
                CoderPool.give(pooled, level);
                assertArrayEquals(expected, deflated, "level " + level);
                assertInflates(deflated);
            }
        }
    }

    @Test
    void shouldInflateAfterAStreamThatFailed() throws Exception {
        Inflater inflater = CoderPool.takeInflater(true);
        inflater.setInput(new byte[] {(byte) 0xFF, (byte) 0xFF});
        assertThrows(DataFormatException.class, () -> inflater.inflate(new byte[10]));
        CoderPool.give(inflater, true);
        Deflater deflater = CoderPool.takeDeflater(6);
        byte[] deflated = deflate(deflater);
        CoderPool.give(deflater, 6);
        assertInflates(deflated);
    }

    /** A stream that refers to the content of a former one must not see it. */
    @Test
    void shouldForgetTheWindowOfThePreviousStream() throws Exception {
        Deflater deflater = new Deflater(6, true);
        deflater.setDictionary(TEXT);
        byte[] referring = deflate(deflater);
        deflater.end();
        Inflater inflater = CoderPool.takeInflater(true);
        inflater.setInput(TEXT, 0, 0);
        inflater.setDictionary(TEXT);
        CoderPool.give(inflater, true);
        Inflater again = CoderPool.takeInflater(true);
        assertSame(inflater, again);
        again.setInput(referring);
        assertThrows(DataFormatException.class, () -> again.inflate(new byte[TEXT.length]));
        CoderPool.give(again, true);
    }

    @Test
    void shouldPoolInflatersWithAndWithoutWrapperSeparately() {
        Inflater raw = CoderPool.takeInflater(true);
        CoderPool.give(raw, true);
        Inflater zlib = CoderPool.takeInflater(false);
        assertNotSame(raw, zlib);
        CoderPool.give(zlib, false);
    }

    @Test
    void shouldKeepNoMoreThanAFewPerProcessor() {
        int liveBefore = CoderPool.live();
        List<Deflater> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            many.add(CoderPool.takeDeflater(6));
        }
        assertEquals(liveBefore + 200, CoderPool.live());
        assertEquals(takenBefore + 200, CoderPool.taken());
        many.forEach(deflater -> CoderPool.give(deflater, 6));
        int processors = Runtime.getRuntime().availableProcessors();
        assertTrue(CoderPool.live() <= liveBefore + Math.max(2, 2 * processors), "live coders: " + CoderPool.live());
        assertEquals(takenBefore, CoderPool.taken());
    }

    @Test
    void shouldEndCodersNotUsedBetweenTwoExpiries() {
        int liveBefore = CoderPool.live();
        CoderPool.give(CoderPool.takeDeflater(6), 6);
        CoderPool.give(CoderPool.takeInflater(true), true);
        assertEquals(liveBefore + 2, CoderPool.live());
        CoderPool.expire();
        assertEquals(liveBefore + 2, CoderPool.live(), "ended although it was used since the last expiry");
        CoderPool.give(CoderPool.takeDeflater(6), 6);
        CoderPool.expire();
        assertEquals(liveBefore + 1, CoderPool.live());
        CoderPool.expire();
        assertEquals(liveBefore, CoderPool.live());
    }

    @Test
    void shouldNeverGiveACoderToTwoThreads() throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 300; i++) {
                    Deflater deflater = CoderPool.takeDeflater(6);
                    byte[] deflated = deflate(deflater);
                    CoderPool.give(deflater, 6);
                    assertInflates(deflated);
                }
            });
            thread.setUncaughtExceptionHandler((failed, cause) -> {
                synchronized (failures) {
                    failures.add(cause);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(30_000);
            assertTrue(!thread.isAlive(), "a thread is still running after 30 s");
        }
        assertEquals(List.of(), failures);
        assertEquals(takenBefore, CoderPool.taken());
    }

    private static void expireAll() {
        CoderPool.expire();
        CoderPool.expire();
    }

    private static byte[] deflate(Deflater deflater) {
        deflater.setInput(TEXT);
        byte[] output = new byte[TEXT.length + 64];
        return Arrays.copyOf(output, deflater.deflate(output, 0, output.length, Deflater.SYNC_FLUSH));
    }

    private static void assertInflates(byte[] deflated) {
        Inflater inflater = CoderPool.takeInflater(true);
        try {
            inflater.setInput(deflated);
            byte[] output = new byte[TEXT.length + 1];
            int length = inflater.inflate(output);
            assertEquals(
                    new String(TEXT, StandardCharsets.UTF_8), new String(output, 0, length, StandardCharsets.UTF_8));
        } catch (DataFormatException e) {
            throw new AssertionError(e);
        } finally {
            CoderPool.give(inflater, true);
        }
    }
}
