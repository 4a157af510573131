package org.freshet.channel.socket.nio.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.freshet.channel.WriteOverflow;
import org.freshet.internal.write.WriteBound;
import org.junit.jupiter.api.Test;

/** Each change returns new limits that differ in one setting. */
class WriteLimitsTest {
    private static final WriteBound BOUND = new WriteBound(1 << 20, WriteOverflow.FAIL, 1000);

    private final WriteLimits limits = new WriteLimits(400, 200, 16, true, WriteBound.NONE);

    @Test
    void shouldChangeOneThingAtATime() {
        assertEquals(new WriteLimits(300, 200, 16, true, WriteBound.NONE), limits.withHighWaterMark(300));
        assertEquals(new WriteLimits(400, 300, 16, true, WriteBound.NONE), limits.withLowWaterMark(300));
        assertEquals(new WriteLimits(400, 200, 1, true, WriteBound.NONE), limits.withSpinCount(1));
        assertEquals(new WriteLimits(400, 200, 16, false, WriteBound.NONE), limits.withCoalescing(false));
        assertEquals(new WriteLimits(400, 200, 16, true, BOUND), limits.withBound(BOUND));
    }

    @Test
    void shouldRefuseALowMarkAboveTheHighOne() {
        assertThrows(IllegalArgumentException.class, () -> limits.withHighWaterMark(199));
        assertThrows(IllegalArgumentException.class, () -> limits.withLowWaterMark(401));
    }
}
