package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class ShaperSettingsTest extends TrafficShapers {
    @Test
    void shouldReturnItsSettings() {
        GlobalChannelTrafficShapingHandler handler =
                new GlobalChannelTrafficShapingHandler(timer, 1, 2, 3, 4, 500, 6000);
        assertEquals(
                List.of(1L, 2L, 3L, 4L, 500L, 6000L),
                List.of(
                        handler.getWriteLimit(),
                        handler.getReadLimit(),
                        handler.getWriteChannelLimit(),
                        handler.getReadChannelLimit(),
                        handler.getCheckInterval(),
                        handler.getMaxTimeWait()));
        handler.configure(11, 12, 13);
        handler.configureChannel(14, 15);
        assertEquals(
                List.of(11L, 12L, 13L, 14L, 15L),
                List.of(
                        handler.getWriteLimit(),
                        handler.getReadLimit(),
                        handler.getCheckInterval(),
                        handler.getWriteChannelLimit(),
                        handler.getReadChannelLimit()));
        handler.setReadLimit(16);
        handler.setReadChannelLimit(17);
        handler.setMaxWriteDelay(18);
        assertEquals(
                List.of(16L, 17L, 18L, 4L << 20, 400L << 20),
                List.of(
                        handler.getReadLimit(),
                        handler.getReadChannelLimit(),
                        handler.getMaxWriteDelay(),
                        handler.getMaxWriteSize(),
                        handler.getMaxGlobalWriteSize()));
        handler.release();
    }

    @Test
    void shouldKnowTheFactorsOfDeviation() {
        GlobalChannelTrafficShapingHandler handler = each(0, 0);
        assertEquals(List.of(0.1f, 1.4f, 0.9f), factors(handler));
        handler.setMaxDeviation(0.2f, 0.3f, -0.15f);
        assertEquals(List.of(0.2f, 1.3f, 0.85f), factors(handler));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.41f, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.1f, -0.1f, 0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.1f, 0, 0.1f));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.1f, 0, -1));
    }

    private static List<Float> factors(GlobalChannelTrafficShapingHandler handler) {
        return List.of(handler.maxDeviation(), handler.slowDownFactor(), handler.accelerationFactor());
    }

    @Test
    void shouldRefuseInvalidSettings() {
        ChannelTrafficShapingHandler handler = new ChannelTrafficShapingHandler(timer);
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxTimeWait(0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxWriteDelay(0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxWriteSize(-1));
        assertThrows(IllegalArgumentException.class, () -> all(0, 0).setMaxGlobalWriteSize(0));
        assertThrows(IllegalArgumentException.class, () -> new ChannelTrafficShapingHandler(timer, 0, 0, 0, 0));
        assertThrows(NullPointerException.class, () -> new ChannelTrafficShapingHandler(null));
        assertNull(handler.getTrafficCounter());
        MemoryChannel.connected(handler);
        assertNotNull(handler.getTrafficCounter());
    }
}
