package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TimeZone;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultHttpHeadersTest {
    private static final String[] NAMES = {
        "Host",
        "host",
        "HOST",
        "Content-Length",
        "content-length",
        "X-A",
        "x-a",
        "X-B",
        "Accept",
        "aCCEPT",
        "Long-Unknown-Name"
    };

    private final DefaultHttpHeaders headers = new DefaultHttpHeaders();

    @Test
    void shouldFindAValueByNameInAnyCase() {
        headers.add("Content-Type", "text/plain").add("x-unknown-name", "1");

        assertEquals("text/plain", headers.get("content-TYPE"));
        assertEquals("1", headers.get("X-Unknown-Name"));
        assertTrue(headers.contains("X-UNKNOWN-NAME"));
        assertNull(headers.get("X-Unknown-Nam"));
    }

    @Test
    void shouldKeepTheSpellingAndOrderOfAddedHeaders() {
        headers.add("b", 1).add("A", 2).add("B", 3);

        assertEquals(List.of("b=1", "A=2", "B=3"), strings(headers));
        assertEquals(List.of("1", "3"), headers.getAll("B"));
        assertEquals(List.of("b", "A", "B"), new ArrayList<>(headers.names()));
    }

    @Test
    void shouldPutHeadersThatAreSetAfterTheOthers() {
        headers.add("x", "1").add("y", "2").add("X", "3").set("x", "4");

        assertEquals(List.of("y=2", "x=4"), strings(headers));
    }

    @Test
    void shouldWriteDatesInHttpFormat() {
        headers.set("Date", new Date(784_111_777_000L));

        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", headers.get("date"));
    }

    @Test
    void shouldWriteTheTimeOfACalendarInHttpFormat() {
        Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"), Locale.ROOT);
        calendar.setTimeInMillis(784_111_777_000L);
        headers.add("Date", calendar);

        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", headers.get("date"));
    }

    @Test
    void shouldWriteAnyNumber() {
        List<Object> numbers =
                List.of(0, 1, 1023, 1024, 1_000_000, -1, -1023, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 40, 2.5);
        headers.add("n", numbers).add("n", 1023);

        List<String> texts = new ArrayList<>();
        numbers.forEach(number -> texts.add(number.toString()));
        texts.add("1023");
        assertEquals(texts, headers.getAll("n"));
    }

    @Test
    void shouldEndItsIteration() {
        headers.add("a", "1");
        Iterator<Map.Entry<String, String>> each = headers.iterator();
        each.next();
        headers.add("b", "2");
        assertEquals("b=2", each.next().toString());
        assertFalse(each.hasNext());
        assertThrows(NoSuchElementException.class, each::next);
        assertThrows(UnsupportedOperationException.class, each::remove);
    }

    @Test
    void shouldChangeNothingThroughAnEntryThatWasReplaced() {
        headers.add("a", "1").add("b", "2");
        Map.Entry<String, String> a = headers.entries().get(0);
        headers.set("a", "3");
        assertEquals("1", a.setValue("4"));
        assertEquals("4", a.getValue());
        assertEquals(List.of("b=2", "a=3"), strings(headers));
        assertThrows(NullPointerException.class, () -> a.setValue(null));
    }

    /** Two headers may look alike. */
    @Test
    void shouldChangeOneHeaderThroughItsEntry() {
        headers.add("a", "1").add("a", "2");
        headers.entries().get(1).setValue("3");
        assertEquals(List.of("a=1", "a=3"), strings(headers));
        headers.add("b", headers.get("a"));
        headers.entries().get(2).setValue("4");
        assertEquals(List.of("a=1", "a=3", "b=4"), strings(headers));

        DefaultHttpHeaders unchecked = new DefaultHttpHeaders(false);
        unchecked.add("a", "1").entries().get(0).setValue("x\ny");
        assertEquals("x\ny", unchecked.get("a"));
    }

    /** Two marks that differ in the bit that tells capital letters from small ones. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void shouldDistinguishNamesWhoseKeysAreEqual(int others) {
        for (int i = 0; i < others; i++) {
            headers.add("x-" + i, i);
        }
        headers.add("a^", "1").add("A~", "2");
        assertEquals("1", headers.get("A^"));
        assertEquals("2", headers.get("a~"));
        assertEquals(List.of("2"), headers.remove("a^").getAll("a~"));
        assertFalse(headers.contains("a^"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 10})
    void shouldReturnWhetherThereIsExactlyOne(int others) {
        for (int i = 0; i < others; i++) {
            headers.add("x-" + i, i);
        }
        assertFalse(headers.isSingle("a"));
        headers.add("A", "1");
        assertTrue(headers.isSingle("a"));
        headers.add("x", "1").add("a", "1");
        assertFalse(headers.isSingle("a"));
        assertTrue(headers.isSingle("x"));
    }

    @Test
    void shouldSayWhoseValueIsMissing() {
        NullPointerException failure =
                assertThrows(NullPointerException.class, () -> headers.add("x-a", (Object) null));
        assertEquals("the value of x-a", failure.getMessage());
        assertEquals(
                "x-b",
                assertThrows(
                                NullPointerException.class,
                                () -> headers.set("x-b", new Object() {
                                    @Override
                                    public String toString() {
                                        return null;
                                    }
                                }))
                        .getMessage());
    }

    @Test
    void shouldContainOnlyWholeValues() {
        headers.add("a", "x").add("A", "One, two");
        assertTrue(headers.contains("a", "One, two", false));
        assertFalse(headers.contains("a", "one, two", false));
        assertTrue(headers.contains("a", "one, TWO", true));
        assertFalse(headers.contains("a", "One", true));
        assertFalse(headers.contains("b", "x", true));
    }

    @Test
    void shouldChangeTheHeadersThroughAnEntryAndCheckItsValue() {
        headers.add("a", "1").add("b", "2");
        Map.Entry<String, String> b = headers.entries().get(1);

        assertEquals("2", b.setValue("3"));
        assertEquals("3", headers.get("b"));
        assertThrows(IllegalArgumentException.class, () -> b.setValue("x\r\ny: z"));
        assertEquals("3", headers.get("b"));

        headers.remove("a");
        b.setValue("4");
        assertEquals(List.of("b=4"), strings(headers));
    }

    @Test
    void shouldReturnListsThatBelongToTheCaller() {
        headers.add("a", "1");

        headers.getAll("a").add("2");
        headers.getAll("b").add("2");
        headers.entries().clear();
        headers.names().clear();
        assertEquals(List.of("a=1"), strings(headers));
    }

    @Test
    void shouldStopAtANullValueLikeNetty3() {
        headers.set("a", Arrays.asList("1", null, "2"));

        assertEquals(List.of("1"), headers.getAll("a"));
        assertThrows(NullPointerException.class, () -> headers.add("a", (Object) null));
        assertThrows(NullPointerException.class, () -> headers.get(null));
    }

    @Test
    void shouldLeaveTheHeadersUnchangedIfAValueIsRefused() {
        headers.add("a", "1");

        assertThrows(IllegalArgumentException.class, () -> headers.set("a", List.of("2", "3\n")));
        assertEquals(List.of("a=1"), strings(headers));
    }

    @Test
    void shouldAllowAnythingWithoutValidation() {
        DefaultHttpHeaders unchecked = new DefaultHttpHeaders(false);

        unchecked.set("a b", "x\ry");
        assertEquals("x\ry", unchecked.get("A B"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a\r\nb: c", "a\nb", "a\r", "a\0", "a\u000b", "a\u000c", "a\u007f", "\u010d", "\u010a", "a\r\n b"
            })
    void shouldRefuseAValueThatWouldBreakTheHeadApart(String value) {
        DefaultHttpHeaders source = new DefaultHttpHeaders(false);
        source.add("x", value);

        assertThrows(IllegalArgumentException.class, () -> headers.add("x", value));
        assertThrows(IllegalArgumentException.class, () -> headers.add("x", (Object) new StringBuilder(value)));
        assertThrows(IllegalArgumentException.class, () -> headers.set("x", value));
        assertThrows(IllegalArgumentException.class, () -> headers.add("x", List.of("fine", value)));
        assertThrows(IllegalArgumentException.class, () -> headers.set("x", List.of("fine", value)));
        assertThrows(IllegalArgumentException.class, () -> headers.add(source));
        assertThrows(IllegalArgumentException.class, () -> headers.set(source));
        assertThrows(
                IllegalArgumentException.class,
                () -> HttpHeaders.setHeader(request(), "x", Collections.singleton(value)));
        assertFalse(headers.contains("x") && headers.getAll("x").contains(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a b", "a:", "a\r\nb", "\u000bHost", "\u010dost", "caf\u00e9", "(", "a,b", "a;", "\"a\""
            })
    void shouldRefuseANameThatIsNotAToken(String name) {
        assertThrows(IllegalArgumentException.class, () -> headers.add(name, "1"));
        assertThrows(IllegalArgumentException.class, () -> headers.set(name, "1"));
        assertThrows(IllegalArgumentException.class, () -> headers.add(name, List.of("1")));
        assertThrows(IllegalArgumentException.class, () -> headers.set(name, List.of("1")));
        assertTrue(headers.isEmpty());
    }

    @Test
    void shouldBehaveLikeNetty3ForAnySequenceOfChanges() {
        Random random = Seeds.random();
        for (int round = 0; round < 300; round++) {
            HttpHeaders ours = new DefaultHttpHeaders();
            org.jboss.netty.handler.codec.http.HttpHeaders theirs =
                    new org.jboss.netty.handler.codec.http.DefaultHttpHeaders();
            for (int step = 0; step < 40; step++) {
                change(random, ours, theirs);
                String when = "round " + round + ", step " + step;
                assertEquals(strings(theirs), strings(ours), when);
                for (String name : NAMES) {
                    assertEquals(theirs.get(name), ours.get(name), when);
                    assertEquals(theirs.getAll(name), ours.getAll(name), when);
                    assertEquals(theirs.contains(name, "V1", true), ours.contains(name, "V1", true), when);
                }
                assertEquals(theirs.names(), ours.names(), when);
            }
        }
    }

    private static void change(Random random, HttpHeaders ours, org.jboss.netty.handler.codec.http.HttpHeaders theirs) {
        String name = NAMES[random.nextInt(NAMES.length)];
        Object value = random.nextBoolean() ? "v" + random.nextInt(3) : (Object) random.nextInt(3);
        switch (random.nextInt(12)) {
            case 0:
                ours.remove(name);
                theirs.remove(name);
                break;
            case 1:
                ours.set(name, List.of(value, "2"));
                theirs.set(name, List.of(value, "2"));
                break;
            case 2:
                ours.add(name, List.of(value, "2"));
                theirs.add(name, List.of(value, "2"));
                break;
            case 3:
            case 4:
                ours.set(name, value);
                theirs.set(name, value);
                break;
            case 5:
                if (random.nextInt(8) == 0) {
                    ours.clear();
                    theirs.clear();
                }
                break;
            default:
                ours.add(name, value);
                theirs.add(name, value);
        }
    }

    private static HttpRequest request() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    }

    private static List<String> strings(Iterable<Map.Entry<String, String>> headers) {
        List<String> strings = new ArrayList<>();
        for (Map.Entry<String, String> header : headers) {
            strings.add(header.toString());
        }
        return strings;
    }
}
