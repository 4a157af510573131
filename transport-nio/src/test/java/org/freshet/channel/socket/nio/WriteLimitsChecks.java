package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.WriteOverflow;
import org.junit.jupiter.api.function.Executable;

/** The contract for the write settings of every kind of NIO channel. */
final class WriteLimitsChecks {
    static final Set<String> KEYS = Set.of(
            "writeBufferHighWaterMark",
            "writeBufferLowWaterMark",
            "writeSpinCount",
            "writeCoalescing",
            "writeBufferLimit",
            "writeOverflow");

    private WriteLimitsChecks() {}

    /** Checks a new config. */
    static void check(NioChannelConfig config) {
        checkDefaults(config);
        checkThreeWays(config);
        checkRefusals(config);
        checkBothMarksInOneMap(config);
    }

    private static void checkDefaults(NioChannelConfig config) {
        assertEquals(65_536, config.getWriteBufferHighWaterMark());
        assertEquals(32_768, config.getWriteBufferLowWaterMark());
        assertEquals(16, config.getWriteSpinCount());
        assertTrue(config.isWriteCoalescing());
        assertEquals(0, config.getWriteBufferLimit());
        assertEquals(WriteOverflow.CLOSE, config.getWriteOverflow());
    }

    private static void checkThreeWays(NioChannelConfig config) {
        assertTrue(config.setOption("writeBufferHighWaterMark", "70000"));
        assertEquals(70_000, config.getWriteBufferHighWaterMark());
        assertTrue(config.setOption(ChannelOption.WRITE_BUFFER_LOW_WATER_MARK, 60_000));
        assertEquals(60_000, config.getOption(ChannelOption.WRITE_BUFFER_LOW_WATER_MARK));
        config.setWriteSpinCount(4);
        assertEquals(4, config.getOptions().get("writeSpinCount"));
        assertTrue(config.setOption("writeCoalescing", "no"));
        assertFalse(config.isWriteCoalescing());
        assertTrue(config.setOption(ChannelOption.WRITE_COALESCING, true));
        assertEquals(true, config.getOptions().get("writeCoalescing"));
        config.setWriteBufferLimit(5);
        assertEquals(5, config.getOption(ChannelOption.WRITE_BUFFER_LIMIT));
        assertTrue(config.setOption("writeOverflow", "block"));
        assertEquals(WriteOverflow.BLOCK, config.getWriteOverflow());
        assertEquals(5, config.getWriteBufferLimit());
        config.setWriteOverflow(WriteOverflow.FAIL);
        assertEquals(WriteOverflow.FAIL, config.getOptions().get("writeOverflow"));
    }

    private static void checkRefusals(NioChannelConfig config) {
        config.setOptions(Map.of("writeBufferLowWaterMark", 100, "writeBufferHighWaterMark", 200));
        assertRefused(
                "writeBufferHighWaterMark < writeBufferLowWaterMark: 99 < 100",
                () -> config.setWriteBufferHighWaterMark(99));
        assertRefused(
                "writeBufferHighWaterMark < writeBufferLowWaterMark: 200 < 201",
                () -> config.setOption("writeBufferLowWaterMark", 201));
        assertRefused(
                "writeBufferHighWaterMark: 0 (allowed: a whole number, 1 or more)",
                () -> config.setWriteBufferHighWaterMark(0));
        assertRefused(
                "writeBufferLowWaterMark: -1 (allowed: a whole number, 0 or more)",
                () -> config.setWriteBufferLowWaterMark(-1));
        assertRefused("writeSpinCount: 0 (allowed: a whole number, 1 or more)", () -> config.setWriteSpinCount(0));
        assertRefused(
                "writeBufferHighWaterMark < writeBufferLowWaterMark: 7 < 8",
                () -> config.setOptions(Map.of("writeBufferLowWaterMark", 8, "writeBufferHighWaterMark", 7)));
        assertRefused(
                "writeOverflow: \"drop\" (allowed: CLOSE, FAIL or BLOCK)",
                () -> config.setOption("writeOverflow", "drop"));
        assertRefused(
                "writeBufferLimit: -1 (allowed: a whole number, 0 or more)", () -> config.setWriteBufferLimit(-1));
        assertEquals(200, config.getWriteBufferHighWaterMark());
        assertEquals(100, config.getWriteBufferLowWaterMark());
        config.setWriteBufferLowWaterMark(200); // equal marks are allowed
        assertEquals(200, config.getWriteBufferLowWaterMark());
    }

    /** From small marks to large ones and back, in both orders, each of which crosses the old marks. */
    private static void checkBothMarksInOneMap(NioChannelConfig config) {
        for (boolean highFirst : new boolean[] {true, false}) {
            setMarks(config, highFirst, 1_000_000, 900_000);
            setMarks(config, highFirst, 10, 5);
        }
    }

    private static void setMarks(NioChannelConfig config, boolean highFirst, int high, int low) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put(highFirst ? "writeBufferHighWaterMark" : "writeBufferLowWaterMark", highFirst ? high : low);
        options.put("connectTimeoutMillis", 1);
        options.put(highFirst ? "writeBufferLowWaterMark" : "writeBufferHighWaterMark", highFirst ? low : high);
        config.setOptions(options);
        assertEquals(high, config.getWriteBufferHighWaterMark());
        assertEquals(low, config.getWriteBufferLowWaterMark());
    }

    private static void assertRefused(String message, Executable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
    }
}
