package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
    private final Resources before = Resources.inUse();

    @Test
    void shouldFindThreadsWithAFreshetNameAndTheirStack() {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> Await.latch(end, "the end of the test"), "freshet-nio-worker-1");
        thread.start();
        try {
            Await.until(() -> thread.getState() == Thread.State.TIMED_WAITING, "the thread to wait");
            Resources left = Resources.inUse().without(before);
            assertTrue(left.threads().contains(thread));
            assertTrue(left.describe().contains("CountDownLatch.await"), left.describe());
        } finally {
            end.countDown();
            Await.end(thread);
        }
        assertTrue(Resources.inUse().without(before).isEmpty());
    }

    @Test
    void shouldFindOpenSelectors() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        try (Selector one = Selector.open();
                Selector two = Selector.open()) {
            Resources left = Resources.inUse().without(before);
            assertEquals(2, left.selectors(), one + " and " + two);
        }
        assertTrue(Resources.inUse().without(before).isEmpty());
    }

    @Test
    void shouldFindOpenSocketsAndDescribeThem() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        try (ScriptedServer server = ScriptedServer.listen()) {
            Resources left = Resources.inUse().without(before);
            assertEquals(1, left.sockets().size());
            String port = String.format(":%04X", server.address().getPort());
            assertTrue(left.describe().contains(port), left.describe());
        }
        assertFalse(Resources.inUse().without(before).describe().contains("socket"));
    }

    @Test
    void shouldFindWhatWaitsOnAChannelThatIsNotClosed() {
        MemoryChannel channel = MemoryChannel.connected().holdWrites();
        channel.write(ChannelBuffers.wrappedBuffer(new byte[8 * 1024]));
        Resources left = Resources.inUse().without(before);
        assertEquals(8 * 1024, left.queuedBytes());
        assertEquals("8192 bytes are left in the memory budget\n", left.describe());
        channel.close();
        assertTrue(Resources.inUse().without(before).isEmpty());
    }

    @Test
    void shouldFindBytesThatAHandlerHasLost() {
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelHandler());
        WriteAccount.charge(channel, 100);
        Accounts.closeAll();
        assertFalse(channel.isOpen());
        assertTrue(Accounts.areUnsettled());
        WriteAccount.release(channel, 100);
        assertFalse(Accounts.areUnsettled());
    }
}
