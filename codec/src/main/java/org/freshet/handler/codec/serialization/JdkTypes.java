package org.freshet.handler.codec.serialization;

import java.util.Set;

/**
 * The classes that are deserialized by default: the JDK's values, its collections, and arrays of them. Reading them
 * runs no foreign code. Listed by name, because some are in modules that may be absent. Any thread.
 */
final class JdkTypes {
    private static final Set<String> NAMES = Set.of(
            // Base types of objects and values, and comparators of sorted collections.
            "java.lang.Object",
            "java.lang.Number",
            "java.lang.Enum",
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Short",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Float",
            "java.lang.Double",
            "java.lang.String",
            "java.lang.String$CaseInsensitiveComparator",
            "java.math.BigInteger",
            "java.math.BigDecimal",
            "java.math.MathContext",
            "java.math.RoundingMode",
            "java.net.URI",
            "java.net.InetAddress",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetSocketAddress",
            "java.net.SocketAddress",
            "java.sql.Date",
            "java.sql.Time",
            "java.sql.Timestamp",
            "java.util.UUID",
            "java.util.Date",
            "java.util.Locale",
            "java.util.Currency",
            "java.util.Calendar",
            "java.util.GregorianCalendar",
            "java.util.TimeZone",
            "java.util.SimpleTimeZone",
            "sun.util.calendar.ZoneInfo",
            "java.util.concurrent.TimeUnit",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            // Collections, and the classes in their serial forms.
            "java.util.AbstractMap$SimpleEntry",
            "java.util.AbstractMap$SimpleImmutableEntry",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays$ArrayList",
            "java.util.BitSet",
            "java.util.CollSer",
            "java.util.EnumMap",
            "java.util.EnumSet",
            "java.util.EnumSet$SerializationProxy",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.IdentityHashMap",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Map$Entry",
            "java.util.JumboEnumSet",
            "java.util.PriorityQueue",
            "java.util.Properties",
            "java.util.RegularEnumSet",
            "java.util.Stack",
            "java.util.TreeMap",
            "java.util.TreeSet",
            "java.util.Vector",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentHashMap$Segment",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.ConcurrentSkipListMap",
            "java.util.concurrent.ConcurrentSkipListSet",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet",
            "java.util.concurrent.locks.AbstractOwnableSynchronizer",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer",
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantLock$NonfairSync",
            "java.util.concurrent.locks.ReentrantLock$Sync");

    /** A few bytes of this class make a list of any length. */
    private static final String ENDLESS_LIST = "java.util.Collections$CopiesList";

    private JdkTypes() {}

    /** {@link ClassFacts} caches the answer. */
    static boolean contains(Class<?> type) {
        Class<?> element = elementOf(type);
        return element.isPrimitive() || contains(element.getName());
    }

    /** @param elementName the name of a class that is not an array */
    static boolean contains(String elementName) {
        return NAMES.contains(elementName)
                || elementName.startsWith("java.time.")
                || elementName.startsWith("java.util.ImmutableCollections$")
                || elementName.startsWith("java.util.Collections$") && !elementName.equals(ENDLESS_LIST);
    }

    /** Returns the element type of an array of any number of dimensions; the class itself if it is not an array. */
    static Class<?> elementOf(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }
}
