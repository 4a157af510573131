package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeapReserve;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the heap is full, the {@link MemoryBudget} makes room whatever its limit is. */
class MemoryBudgetFullHeapTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 500;

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldCloseTheLargestBacklogsEvenWithoutALimit() throws Exception {
        assertCloses(20, Integer.MAX_VALUE);
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldCloseChannelsOfWhichNoneHasMuch() throws Exception {
        assertCloses(1000, 64_000);
    }

    /** Fills the heap of a child with backlogs of so many channels, each with at most so many bytes. */
    private static void assertCloses(int channels, int mostBytes) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullOfBacklogs.class.getName(),
                        Integer.toString(channels),
                        Integer.toString(mostBytes))
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        child.waitFor();
        assertTrue(said.contains("closed=true modest=true unlimited=true"), said);
    }

    @Test
    void shouldLeaveConnectionsAloneIfASingleLargeArrayDoesNotFit() {
        MemoryChannel channel = MemoryChannel.connected().holdWrites();
        channel.write(ChannelBuffers.wrappedBuffer(new byte[300_000]));
        long ceilingBytes = MemoryBudget.ceilingBytes();
        Channels.future(channel).setFailure(new OutOfMemoryError("injected by a test"));
        assertFalse(HeapReserve.isMissing());
        assertEquals(ceilingBytes, MemoryBudget.ceilingBytes());
        assertTrue(channel.isOpen());
        channel.completeWrites();
        channel.close();
    }

    @Test
    void shouldLeaveConnectionsAloneIfLargeArraysOfSeveralThreadsDoNotFit() {
        MemoryChannel channel = MemoryChannel.connected().holdWrites();
        channel.write(ChannelBuffers.wrappedBuffer(new byte[300_000]));
        AtomicBoolean isReserveGone = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    HeapReserve.onFailure(new OutOfMemoryError("of a test"));
                    if (HeapReserve.isMissing()) {
                        isReserveGone.set(true);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        threads.forEach(Await::end);
        assertFalse(isReserveGone.get());
        assertTrue(channel.isOpen());
        channel.completeWrites();
        channel.close();
    }
}
