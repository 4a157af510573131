package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An array written to many connections is in memory once while they cannot send it: {@link SslHandler} encrypts only as
 * much as the transport can take.
 */
@Tag("crypto")
class TlsSharedMessageTest {
    private static final int READERS = 8;
    private static final int BYTES = 10_000_000;

    /** The most that is encrypted at a time: up to the high water mark and one more write, plus record overhead. */
    private static final int ENCRYPTED_BYTES = 160 * 1024;

    private final byte[] shared = Bytes.random(Seeds.random(), BYTES).array();
    private final List<TlsPair> pairs = new ArrayList<>();
    private final List<ChannelFuture> writes = new ArrayList<>();

    /** Otherwise 160 MB would count in the memory budget of later tests. */
    @AfterEach
    void breakOff() {
        pairs.forEach(pair ->
                Channels.close(pair.server.getPipeline().getContext(SslHandler.class), pair.server.getCloseFuture()));
    }

    private void connectReadersThatDoNotRead() throws Exception {
        for (int i = 0; i < READERS; i++) {
            TlsPair pair = TlsPair.of(TlsPair.TLS_1_3).established();
            pair.server.holdWrites();
            pairs.add(pair);
        }
    }

    private void writeToAll() {
        pairs.forEach(pair -> writes.add(pair.server.write(ChannelBuffers.wrappedBuffer(shared))));
    }

    /** Measured after a garbage collection. */
    private static long liveBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void shouldEncryptNoMoreForEachReaderThanTheTransportTakes() throws Exception {
        connectReadersThatDoNotRead();
        writeToAll();
        for (TlsPair pair : pairs) {
            int records = pair.server.takeWritten().stream()
                    .mapToInt(record -> ((ChannelBuffer) record).readableBytes())
                    .sum();
            assertTrue(records > 0 && records <= ENCRYPTED_BYTES, () -> records + " bytes are encrypted");
            assertTrue(WriteAccount.waitingBytes(pair.server) >= BYTES, "the account counts all of it");
            assertTrue(WriteAccount.queuedBytes(pair.server) <= ENCRYPTED_BYTES);
            assertFalse(pair.server.isWritable());
        }
        writes.forEach(write -> assertFalse(write.isDone()));
    }

    /** Measured on the heap, independent of the handlers' own counts. */
    @Test
    void shouldKeepTheArrayInMemoryOnce() throws Exception {
        connectReadersThatDoNotRead();
        long before = liveBytes();
        writeToAll();
        Await.until(() -> liveBytes() - before < BYTES / 2, () -> "memory; more is live: " + (liveBytes() - before));
        assertEquals(READERS, writes.size());
    }
}
