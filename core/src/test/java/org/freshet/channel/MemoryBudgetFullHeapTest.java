package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeapReserve;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the heap is full, the {@link MemoryBudget} makes room whatever its limit is. */
class MemoryBudgetFullHeapTest {
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldCloseTheLargestBacklogsEvenWithoutALimit() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullOfBacklogs.class.getName())
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
}
