package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("crypto")
class SslBufferPoolTest {
    private static final int BUFFER = SslBufferPool.BUFFER_BYTES;

    @Test
    void shouldReuseReleasedBuffers() {
        SslBufferPool pool = new SslBufferPool(2 * BUFFER);
        assertEquals(2 * BUFFER, pool.getMaxPoolSize());
        assertEquals(0, pool.getUnacquiredPoolSize());
        ByteBuffer first = pool.acquireBuffer();
        assertNotSame(first, pool.acquireBuffer());
        first.position(10).limit(20);
        pool.releaseBuffer(first);
        assertEquals(BUFFER, pool.getUnacquiredPoolSize());
        assertSame(first, pool.acquireBuffer());
        assertEquals(BUFFER, first.remaining());
        assertEquals(0, pool.getUnacquiredPoolSize());
    }

    @Test
    void shouldKeepNoMoreThanItsSize() {
        SslBufferPool pool = new SslBufferPool(BUFFER + 1, true, true);
        assertEquals(2 * BUFFER, pool.getUnacquiredPoolSize());
        assertTrue(pool.acquireBuffer().isDirect());
        assertEquals(BUFFER, pool.getUnacquiredPoolSize());
        for (int i = 0; i < 3; i++) {
            pool.releaseBuffer(ByteBuffer.allocateDirect(BUFFER));
        }
        assertEquals(2 * BUFFER, pool.getUnacquiredPoolSize());
    }

    @Test
    void shouldIgnoreForeignBuffers() {
        SslBufferPool pool = new SslBufferPool();
        pool.releaseBuffer(ByteBuffer.allocate(BUFFER - 1));
        pool.releaseBuffer(ByteBuffer.allocateDirect(BUFFER));
        assertEquals(0, pool.getUnacquiredPoolSize());
        assertFalse(pool.acquireBuffer().isDirect());
        assertThrows(NullPointerException.class, () -> pool.releaseBuffer(null));
        assertThrows(IllegalArgumentException.class, () -> new SslBufferPool(0));
    }

    @Test
    void shouldHaveAllBuffersBackAfterAConnection() throws Exception {
        for (boolean direct : new boolean[] {false, true}) {
            SslBufferPool pool = new SslBufferPool(BUFFER, true, direct);
            SslHandler client = Certificates.client().bufferPool(pool).build().newHandler("localhost", 1);
            TlsPair pair = new TlsPair(client, Certificates.server().build().newHandler(), () -> 1000).established();
            pair.client.close();
            assertEquals(BUFFER, pool.getUnacquiredPoolSize());
            MemoryChannel refused = MemoryChannel.connected(
                    Certificates.client().bufferPool(pool).build().newHandler("localhost", 1));
            refused.receive(Bytes.record(TlsRecords.ALERT, 3, new byte[] {2, 40}));
            assertFalse(refused.isOpen());
            assertEquals(BUFFER, pool.getUnacquiredPoolSize());
        }
    }
}
