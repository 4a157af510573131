package org.freshet.handler.codec.serialization;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Sample objects for all serialization tests. */
public final class Samples {
    private Samples() {}

    static class Base implements Serializable {
        private static final long serialVersionUID = 3;

        int number = 5;
    }

    static final class Custom extends Base {
        private static final long serialVersionUID = 4;

        String text;
        transient String lost = "lost";

        @SuppressWarnings("serial") // the tests put serializable parts here
        Object part;

        Custom(String text, Object part) {
            this.text = text;
            this.part = part;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Custom that
                    && number == that.number
                    && Objects.equals(text, that.text)
                    && Objects.equals(part, that.part);
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, text);
        }
    }

    /** A class whose description cannot be made from its name alone. */
    @SuppressWarnings("serial") // the number 0 is the point of this test
    static final class ZeroUid implements Serializable {
        private static final long serialVersionUID = 0;

        final int value = 8;

        @Override
        public boolean equals(Object other) {
            return other instanceof ZeroUid;
        }

        @Override
        public int hashCode() {
            return value;
        }
    }

    enum Colour {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "green";
            }
        }
    }

    /** Objects of test classes, which a filter has to allow. */
    public static List<Object> custom() {
        return List.of(
                new Custom("a", new Custom("b", List.of(1, 2))),
                new ZeroUid(),
                Colour.RED,
                Colour.GREEN,
                new Custom[] {new Custom("x", null), null},
                new Colour[][] {{Colour.RED}, {}},
                EnumSet.of(Colour.GREEN),
                new ArrayList<>(List.of(new Custom("y", 7L))),
                Custom.class);
    }

    /** Classes deserialized without any filter. */
    public static List<Object> jdk() throws UnknownHostException {
        Map<DayOfWeek, Integer> days = new EnumMap<>(DayOfWeek.class);
        days.put(DayOfWeek.MONDAY, 1);
        Map<Object, Object> identity = new IdentityHashMap<>(Map.of("only", 1));
        Properties properties = new Properties();
        properties.setProperty("key", "value");
        return List.of(
                true,
                (byte) 1,
                'c',
                (short) 2,
                3,
                4L,
                5f,
                6d,
                "text",
                "x".repeat(70_000),
                BigInteger.TEN.pow(50),
                new BigDecimal("1.50"),
                RoundingMode.DOWN,
                UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"),
                new Date(1234567),
                sqlTimestamp(),
                Locale.GERMANY,
                Currency.getInstance("EUR"),
                new GregorianCalendar(2001, 1, 2),
                TimeUnit.SECONDS,
                URI.create("http://example.com/"),
                InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
                InetAddress.getByAddress(new byte[16]),
                InetSocketAddress.createUnresolved("example.com", 80),
                Instant.EPOCH,
                LocalDate.of(2020, 1, 2),
                ZonedDateTime.parse("2020-01-02T03:04:05+01:00[Europe/Berlin]"),
                Duration.ofSeconds(5),
                DayOfWeek.FRIDAY,
                new int[] {1, 2},
                new long[0],
                new byte[] {1},
                new String[] {"a", null},
                new Object[] {1, "b", null},
                new int[][] {{1}, {2, 3}},
                new Date[] {new Date(0)},
                new ArrayList<>(List.of(1, "x")),
                new LinkedList<>(List.of(1)),
                new Vector<>(List.of(1)),
                stack(),
                new ArrayList<>(new ArrayDeque<>(List.of(1))),
                new ArrayList<>(new PriorityQueue<>(List.of(2, 1))),
                new HashMap<>(Map.of("a", 1, "b", List.of())),
                new LinkedHashMap<>(Map.of("a", 1)),
                new TreeMap<>(Map.of("b", 1, "a", 2)),
                new TreeMap<>(Collections.<String>reverseOrder()),
                new TreeSet<>(String.CASE_INSENSITIVE_ORDER),
                new HashSet<>(Set.of(1, 2, 3)),
                new LinkedHashSet<>(List.of(1)),
                new TreeSet<>(Set.of(1, 2)),
                new Hashtable<>(Map.of(1, 2)),
                identity.getClass().getName(),
                properties,
                days,
                EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
                BitSet.valueOf(new byte[] {5}),
                new AbstractMap.SimpleEntry<>("a", 1),
                new AbstractMap.SimpleImmutableEntry<>("a", 1),
                Arrays.asList(1, 2),
                List.of(1, 2, 3),
                Set.of(1),
                Map.of(1, 2),
                Collections.emptyList(),
                Collections.singletonList(1),
                Collections.singletonMap(1, 2),
                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
                Collections.synchronizedList(new ArrayList<>(List.of(1))),
                new ConcurrentHashMap<>(Map.of(1, 2)),
                new ConcurrentSkipListMap<>(Map.of(1, 2)),
                new CopyOnWriteArrayList<>(List.of(1)));
    }

    /** The module of the tests does not read java.sql. */
    private static Object sqlTimestamp() {
        try {
            return Class.forName("java.sql.Timestamp")
                    .getConstructor(long.class)
                    .newInstance(7654321);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Stack<Integer> stack() {
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        return stack;
    }
}
