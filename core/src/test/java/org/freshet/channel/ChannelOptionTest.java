package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jboss.netty.util.internal.ConversionUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChannelOptionTest {
    static List<Object> flags() {
        return List.of(
                true, false, "true", "TRUE", "yes", "Yes", "y", "t", "1", "false", "no", "n", "f", "0", 't', 1, 0, 2,
                -1, 1.5, 0L, 0.0);
    }

    static List<Object> numbers() {
        return List.of(0, 1, 1024, "1024", "0", 77L, (short) 5, (byte) 6, 8.0, new BigDecimal("9"));
    }

    @ParameterizedTest
    @MethodSource("flags")
    void shouldReadFlagsAsNetty3Did(Object value) {
        assertEquals(ConversionUtil.toBoolean(value), ChannelOption.TCP_NODELAY.convert(value));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void shouldReadNumbersAsNetty3Did(Object value) {
        assertEquals(ConversionUtil.toInt(value), ChannelOption.CONNECT_TIMEOUT_MILLIS.convert(value));
    }

    static List<Object> notFlags() {
        return List.of("", "maybe", "truee", new Object(), List.of(true), new Object() {
            @Override
            public String toString() {
                return "true";
            }
        });
    }

    @ParameterizedTest
    @MethodSource("notFlags")
    void shouldRefuseValuesThatAreNotFlags(Object value) {
        assertRefused(ChannelOption.KEEP_ALIVE, value, "keepAlive: ", "(allowed: true or false)");
    }

    static List<Object> notNumbers() {
        return List.of("", "1k", "0x10", "1.5", 1.5, 1L << 40, Double.NaN, true, new Object());
    }

    @ParameterizedTest
    @MethodSource("notNumbers")
    void shouldRefuseValuesThatAreNotWholeNumbers(Object value) {
        assertRefused(ChannelOption.BACKLOG, value, "backlog: ", "(allowed: a whole number, 0 or more)");
    }

    @Test
    void shouldTrimText() {
        assertEquals(7, ChannelOption.BACKLOG.convert(" 7 "));
        assertEquals(true, ChannelOption.KEEP_ALIVE.convert(" on\n"));
    }

    @Test
    void shouldNameKeyValueAndRangeWhenOutOfRange() {
        assertRefused(ChannelOption.TRAFFIC_CLASS, 256, "trafficClass: 256 (allowed: 0 to 255)");
        assertRefused(ChannelOption.TRAFFIC_CLASS, "-1", "trafficClass: \"-1\" (allowed: 0 to 255)");
        assertRefused(ChannelOption.SO_LINGER, 65536, "soLinger: 65536 (allowed: -1 to 65535)");
        assertRefused(ChannelOption.SEND_BUFFER_SIZE, 0, "sendBufferSize: 0 (allowed: a whole number, 1 or more)");
        assertRefused(ChannelOption.TCP_NODELAY, null, "tcpNoDelay: null (allowed: true or false)");
        assertRefused(ChannelOption.TRAFFIC_CLASS, true, "trafficClass: true (allowed: 0 to 255)");
    }

    @Test
    void shouldNameTheTypeOfARefusedObject() {
        assertRefused(
                ChannelOption.BUFFER_FACTORY,
                List.of(),
                "bufferFactory: [] of class ",
                "(allowed: an instance of org.freshet.buffer.ChannelBufferFactory)");
    }

    @Test
    void shouldAllowNullOnlyWhereTheConfigDoes() {
        assertNull(ChannelOption.PIPELINE_FACTORY.convert(null));
        for (String key : ChannelOption.knownKeys()) {
            if (!key.equals("pipelineFactory")) {
                assertRefused(ChannelOption.named(key), null, key + ": null");
            }
        }
    }

    @Test
    void shouldFindNetworkInterfacesByNameAndAddressesByText() throws Exception {
        NetworkInterface any = NetworkInterface.networkInterfaces().findFirst().orElseThrow();
        assertEquals(any, ChannelOption.NETWORK_INTERFACE.convert(any.getName()));
        assertSame(any, ChannelOption.NETWORK_INTERFACE.convert(any));
        assertRefused(ChannelOption.NETWORK_INTERFACE, "none0", "networkInterface: \"none0\"");
        assertEquals(InetAddress.getByName("127.0.0.1"), ChannelOption.INTERFACE.convert("127.0.0.1"));
        InetAddress loopback = InetAddress.getLoopbackAddress();
        assertSame(loopback, ChannelOption.INTERFACE.convert(loopback));
        assertRefused(ChannelOption.INTERFACE, "[1", "interface: \"[1\"");
        assertRefused(ChannelOption.INTERFACE, 127, "interface: 127");
    }

    @Test
    void shouldReadAnOverflowPolicyFromItsName() {
        assertEquals(WriteOverflow.FAIL, ChannelOption.WRITE_OVERFLOW.convert(WriteOverflow.FAIL));
        assertEquals(WriteOverflow.BLOCK, ChannelOption.WRITE_OVERFLOW.convert(" block "));
        assertRefused(ChannelOption.WRITE_OVERFLOW, "drop", "writeOverflow: \"drop\"");
        assertRefused(ChannelOption.WRITE_OVERFLOW, 1, "writeOverflow: 1");
    }

    @Test
    void shouldReadPerformancePreferencesFromText() {
        PerformancePreferences latencyFirst = new PerformancePreferences(1, 2, 0);
        assertEquals(latencyFirst, ChannelOption.PERFORMANCE_PREFERENCES.convert("1, 2, 0"));
        assertEquals(latencyFirst, ChannelOption.PERFORMANCE_PREFERENCES.convert(latencyFirst.toString()));
        assertSame(latencyFirst, ChannelOption.PERFORMANCE_PREFERENCES.convert(latencyFirst));
        assertRefused(ChannelOption.PERFORMANCE_PREFERENCES, "1,2", "performancePreferences: \"1,2\"");
        assertRefused(ChannelOption.PERFORMANCE_PREFERENCES, "1,2,x", "performancePreferences: \"1,2,x\"");
        assertRefused(ChannelOption.PERFORMANCE_PREFERENCES, 1, "performancePreferences: 1");
    }

    @Test
    void shouldFindEveryConstantByItsKey() throws Exception {
        Set<String> keys = new HashSet<>();
        for (Field field : ChannelOption.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == ChannelOption.class) {
                ChannelOption<?> option = (ChannelOption<?>) field.get(null);
                assertTrue(keys.add(option.key()), option + " is the key of two constants");
                assertSame(option, ChannelOption.named(option.key()));
                assertEquals(option.key(), option.toString());
            }
        }
        assertEquals(keys, ChannelOption.knownKeys());
        assertNull(ChannelOption.named("none"));
    }

    @Test
    void shouldSupportUserDefinedOptions() {
        ChannelOption<Integer> retries = ChannelOption.number("retries", 1, 9);
        assertEquals(9, retries.convert("9"));
        assertRefused(retries, 10, "retries: 10 (allowed: 1 to 9)");
        assertEquals(Integer.class, retries.type());
        assertEquals("1 to 9", retries.allowed());
        ChannelOption<Integer> wheels = ChannelOption.number("wheels", 4, 4);
        assertEquals(4, wheels.convert(4));
        assertRefused(wheels, 3, "wheels: 3 (allowed: 4 to 4)");
        assertRefused(
                ChannelOption.number("years", 18, Integer.MAX_VALUE), 17, "(allowed: a whole number, 18 or more)");
        assertEquals("x", ChannelOption.object("label", String.class).convert("x"));
        assertEquals(true, ChannelOption.flag("loud").convert("yes"));
        assertNull(ChannelOption.named("retries"));
        assertThrows(IllegalArgumentException.class, () -> ChannelOption.number("none", 1, 0));
    }

    private static void assertRefused(ChannelOption<?> option, Object value, String... said) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> option.convert(value));
        for (String part : said) {
            assertTrue(e.getMessage().contains(part), () -> e.getMessage() + " does not say: " + part);
        }
    }
}
