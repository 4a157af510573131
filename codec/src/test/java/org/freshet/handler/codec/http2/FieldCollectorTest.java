package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders;
import org.junit.jupiter.api.Test;

/** The limits of a received field block, and the lists that blocks are built from. */
class FieldCollectorTest {
    private static FieldCollector collector(int maxSize, int maxFields) {
        return new FieldCollector(maxSize, maxFields);
    }

    private static void addTimes(FieldCollector collector, int times, String name, String value) {
        for (int i = 0; i < times; i++) {
            collector.field(name, value, false);
        }
    }

    @Test
    void shouldCountNamesAndValuesAnd32OctetsPerField() {
        FieldCollector collector = collector(80, 10);
        collector.field("name", "value", false);
        assertEquals(41, collector.size());
        collector.field("n", "123456", false);
        assertEquals(80, collector.size());
        assertTrue(collector.isWithinLimits());
        assertEquals(List.of("name", "value", "n", "123456"), collector.fields());
    }

    @Test
    void shouldDropFieldsBeyondTheSize() {
        FieldCollector collector = collector(80, 10);
        collector.field("name", "value", false);
        collector.field("n", "1234567", false);
        assertFalse(collector.isWithinLimits());
        collector.field("a", "b", false);
        assertEquals(List.of("name", "value"), collector.fields());
        assertEquals(81 + 34, collector.size(), "also what is dropped counts");
    }

    @Test
    void shouldConsiderFourTimesTheSizeHostile() {
        FieldCollector collector = collector(34, 10);
        addTimes(collector, 4, "a", "b");
        assertFalse(collector.isHostile());
        addTimes(collector, 1, "a", "b");
        assertTrue(collector.isHostile());
    }

    @Test
    void shouldLimitTheNumberOfFields() {
        FieldCollector collector = collector(10_000, 3);
        addTimes(collector, 3, "a", "b");
        assertTrue(collector.isWithinLimits());
        addTimes(collector, 1, "a", "b");
        assertFalse(collector.isWithinLimits());
        assertEquals(6, collector.fields().size());
    }

    /** Browsers send a field per cookie (RFC 9113 8.2.3). */
    @Test
    void shouldAllow100CookiesBesidesTheOtherFields() {
        FieldCollector collector = collector(10_000, 3);
        addTimes(collector, 100, "cookie", "a=b");
        addTimes(collector, 3, "a", "b");
        assertTrue(collector.isWithinLimits());
        assertEquals(206, collector.fields().size());
        addTimes(collector, 1, "cookie", "a=b");
        assertFalse(collector.isWithinLimits());
    }

    @Test
    void shouldBeginAgainWithEachBlock() {
        FieldCollector collector = collector(10_000, 1);
        addTimes(collector, 101, "cookie", "a=b");
        addTimes(collector, 2, "a", "b");
        collector.field("secret", "b", true);
        collector.clear();
        assertEquals(0, collector.size());
        addTimes(collector, 100, "cookie", "a=b");
        addTimes(collector, 1, "a", "b");
        assertTrue(collector.isWithinLimits());
        assertEquals(202, collector.fields().size());
        assertFalse(sensitiveOf(collector).isSensitive("secret"));
    }

    private static HttpHeaders sensitiveOf(FieldCollector collector) {
        HttpHeaders headers = new DefaultHttpHeaders();
        collector.markSensitive(headers);
        return headers;
    }

    @Test
    void shouldMarkTheFieldsThatTheSenderKeepsOutOfTables() {
        FieldCollector collector = collector(10_000, 10);
        collector.field("token", "1", true);
        collector.field("other", "1", false);
        collector.field("secret", "1", true);
        HttpHeaders headers = sensitiveOf(collector);
        assertTrue(headers.isSensitive("token"));
        assertTrue(headers.isSensitive("secret"));
        assertFalse(headers.isSensitive("other"));
    }

    // ---- fields to send ----

    @Test
    void shouldKnowWhichFieldsToSendAreSensitive() {
        FieldList fields = FieldList.of("a", "1", "b", "2");
        assertFalse(fields.isSensitive(0));
        fields.addSensitive("c", "3");
        fields.addSensitive("d", "4");
        fields.add("e", "5");
        assertEquals(5, fields.size());
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            all.append(fields.isSensitive(i) ? "!" : "").append(fields.name(i)).append(fields.value(i));
        }
        assertEquals("a1b2!c3!d4e5", all.toString());
        fields.clear();
        fields.add("a", "1");
        fields.add("b", "2");
        fields.add("c", "3");
        assertEquals(3, fields.size());
        assertFalse(fields.isSensitive(2), "cleared with the field");
    }

    @Test
    void shouldNotKeepAListThatWasLong() {
        FieldList fields = new FieldList();
        for (int i = 0; i < 32; i++) {
            fields.add("a", "1");
        }
        assertTrue(fields.clear());
        assertEquals(0, fields.size());
        for (int i = 0; i < 33; i++) {
            fields.add("a", "1");
        }
        assertFalse(fields.clear());
    }
}
