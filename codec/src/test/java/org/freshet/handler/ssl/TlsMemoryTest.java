package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.Allocations;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Wherever a TLS connection meets an OutOfMemoryError, it continues or ends: each write completes, the account is
 * empty, and the peer receives all successful writes in order.
 */
@Tag("crypto")
class TlsMemoryTest {
    private static final int WRITES = 4;

    @Test
    void shouldContinueOrEndWhereverMemoryRunsOut() throws SSLException {
        boolean wasReached = true;
        for (int point = 0; wasReached; point++) {
            Scarcity scarcity = Scarcity.later(point);
            assertKept(TlsPair.of(TlsPair.TLS_1_3).established(), scarcity, "memory runs out at step " + point);
            wasReached = scarcity.wasReached();
            assertTrue(wasReached || point > 0, "nothing was injected");
        }
    }

    /** In a full heap, each allocation would have the collector stop all threads before it fails. */
    @Test
    void shouldFailWaitingMessagesOfAnEndedConnectionWithoutAllocatingForEach() throws SSLException {
        int messages = 10_000;
        MemoryChannel channel = TlsPair.of(TlsPair.TLS_1_3).client;
        AtomicInteger failed = new AtomicInteger();
        ChannelFutureListener countsFailures = done -> failed.incrementAndGet();
        for (int i = 0; i < messages; i++) { // they wait for the handshake
            channel.write(ChannelBuffers.wrappedBuffer(new byte[] {1})).addListener(countsFailures);
        }
        long bytes = Allocations.bytesOf(() -> Channels.fireChannelDisconnected(channel));
        assertEquals(messages, failed.get());
        assertTrue(bytes < 4L * messages, bytes + " bytes for " + messages + " messages");
    }

    private static void assertKept(TlsPair pair, Scarcity scarcity, String when) {
        MemoryChannel channel = pair.client;
        List<ChannelFuture> writes = new ArrayList<>();
        scarcity.begin();
        for (int i = 0; i < WRITES; i++) {
            MessageEvent write = scarcity.write(channel, ChannelBuffers.wrappedBuffer(new byte[] {(byte) i}));
            writes.add(write.getFuture());
            Scarcity.survive(() -> channel.getPipeline().sendDownstream(write));
        }
        scarcity.end();
        pair.pump();
        writes.forEach(write -> Await.until(write::isDone, "a write; " + when));
        assertEquals(0, channel.isOpen() ? WriteAccount.waitingBytes(channel) : 0, when);
        assertReceivedInOrder(TlsPair.received(pair.server), writes, when);
        ChannelFuture last = channel.write(ChannelBuffers.wrappedBuffer(new byte[] {WRITES}));
        pair.pump();
        Await.until(last::isDone, "a later write; " + when);
        assertEquals(channel.isOpen(), last.isSuccess(), when);
        channel.close();
        pair.pump();
    }

    private static void assertReceivedInOrder(ChannelBuffer received, List<ChannelFuture> writes, String when) {
        int before = -1;
        while (received.readable()) {
            int number = received.readByte();
            assertTrue(number > before, when + ": " + number + " was received after " + before);
            assertTrue(writes.get(number).isSuccess(), when + ": " + number + " failed, and was received");
            before = number;
        }
    }
}
