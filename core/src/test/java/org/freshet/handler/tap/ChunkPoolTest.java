package org.freshet.handler.tap;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class ChunkPoolTest {
    @Test
    void shouldLimitTheChunksInUseAndKeepThemForLater() {
        ChunkPool pool = new ChunkPool(2 * Chunk.BYTES, Chunk::new);
        Chunk first = pool.take();
        assertNotNull(pool.take());
        assertNull(pool.take());
        pool.giveBack(first);
        assertSame(first, pool.take());
    }

    @Test
    void shouldCountNoChunkThatThereWasNoMemoryFor() {
        Scarcity scarcity = new Scarcity(0);
        ChunkPool pool = new ChunkPool(Chunk.BYTES, () -> {
            scarcity.step();
            return new Chunk();
        });
        assertNull(pool.take());
        assertNotNull(pool.take());
    }
}
