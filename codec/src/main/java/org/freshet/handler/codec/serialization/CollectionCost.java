package org.freshet.handler.codec.serialization;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;

/**
 * Computes the cost of reading the collections of one serialized object. Collections hash or compare their elements as
 * they are read, and the peer chooses the elements. One unit is about the time to compare two numbers, a few
 * nanoseconds.
 *
 * <ul>
 * <li>Hashing a part visits everything in it, each time: a reference to a long list costs as much as the list.
 * <li>If all keys of a hash table have the same hash, a new key is compared with a few others if the keys are
 *     comparable, otherwise with all of them. {@code Hashtable}, {@code Set.of} and {@code Map.of} always compare with
 *     all.
 * <li>Comparing decimal numbers of different scale multiplies, so its time grows with the square of their length.
 * <li>A part that contains itself has unlimited cost.
 * </ul>
 *
 * <p>For one object and one thread.
 */
final class CollectionCost {
    /** Far above any limit, and can be added without overflow. */
    static final long UNLIMITED = 1L << 50;

    static final Part NULL = value();

    /** Used for anything that is not a collection. */
    static final Collection NO_COLLECTION = new Collection(null, Kind.OTHER);

    private static final int BYTES_PER_UNIT = 8;

    /** How a class reads the objects that follow its fields. */
    private enum Kind {
        OTHER,
        /** Hashed keys, each with a value that is not hashed. */
        HASH_MAP,
        HASH_SET,
        /** Keys, each with a value. All keys may end up in one list, if their hashes are chosen for that. */
        CHAINED_MAP,
        /** A list, a set or a map, depending on its first field. Sets and maps are as slow as CHAINED_MAP. */
        IMMUTABLE,
        SORTED_MAP,
        HEAP
    }

    private static final String HASHTABLE = "java.util.Hashtable";

    private static final Map<String, Kind> KINDS = Map.of(
            "java.util.HashMap",
            Kind.HASH_MAP,
            "java.util.HashSet",
            Kind.HASH_SET,
            HASHTABLE,
            Kind.CHAINED_MAP,
            "java.util.CollSer",
            Kind.IMMUTABLE,
            "java.util.concurrent.ConcurrentHashMap",
            Kind.HASH_MAP,
            "java.util.concurrent.ConcurrentSkipListMap",
            Kind.SORTED_MAP,
            "java.util.PriorityQueue",
            Kind.HEAP,
            "java.util.concurrent.PriorityBlockingQueue",
            Kind.HEAP);

    /** Keeps its entries in a different kind of map than its superclass. */
    private static final String PROPERTIES = "java.util.Properties";

    private static final String DECIMAL = "java.math.BigDecimal";
    private static final String TIME = "java.time.Ser";

    /** First bytes of {@link #TIME} for a zone and a period, the only types in there that are not comparable. */
    private static final Set<Integer> UNORDERED_TIMES = Set.of(7, 14);

    /** JDK classes that are comparable, or for which a peer cannot choose values with equal hashes. */
    private static final Set<String> SPREAD = Set.of(
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Short",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Float",
            "java.lang.Double",
            "java.lang.Object",
            "java.math.BigInteger",
            DECIMAL,
            "java.net.URI",
            "java.net.InetAddress", // how an IPv4 address is serialized
            "java.net.Inet4Address",
            "java.sql.Date",
            "java.sql.Time",
            "java.sql.Timestamp",
            "java.util.UUID",
            "java.util.Date",
            "java.util.GregorianCalendar",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            TIME);

    private long total;

    /** Returns the cost of all collections so far. */
    long total() {
        return total;
    }

    /** Returns whether objects of a class, or of its subclasses, may take more than time linear in their bytes. */
    static boolean isCostly(String className) {
        return KINDS.containsKey(className);
    }

    /** Returns a part for a number, a constant or another small thing. */
    static Part value() {
        return value(0);
    }

    static Part value(long bytes) {
        Part value = new Part();
        value.cost = 1 + bytes / BYTES_PER_UNIT;
        return value;
    }

    /** Returns a part whose own parts are added next, until it is closed. */
    static Part open() {
        Part part = new Part();
        part.open = true;
        return part;
    }

    /**
     * Starts counting the elements of an object.
     *
     * @param className the class, or superclass, whose data comes next
     * @param concreteName the object's own class
     */
    Collection collection(String className, String concreteName) {
        Kind kind = concreteName.equals(PROPERTIES) && className.equals(HASHTABLE)
                ? Kind.HASH_MAP
                : KINDS.getOrDefault(className, Kind.OTHER);
        return kind == Kind.OTHER ? NO_COLLECTION : new Collection(this, kind);
    }

    private void charge(long cost) {
        total = Math.min(UNLIMITED, total + cost);
    }

    /** An object in the stream that can be referred to. */
    static final class Part {
        /** The cost of hashing it, or of comparing it with another part. */
        private long cost = 1;

        /** It is not complete: a reference to it comes from inside it. */
        private boolean open;

        /** Whether a new element must be compared with all others that have the same hash. */
        private boolean searched;

        private long bytes;
        private int firstBlockByte = -1;

        void add(Part part) {
            cost = Math.min(UNLIMITED, cost + part.cost());
        }

        void addBytes(long count) {
            bytes += count;
        }

        void onBlock(ByteBuffer in, long count) {
            bytes += count;
            if (firstBlockByte < 0 && count > 0) {
                firstBlockByte = in.get(in.position()) & 0xFF;
            }
        }

        long cost() {
            return open ? UNLIMITED : cost;
        }

        Part close() {
            open = false;
            cost = Math.min(UNLIMITED, cost + bytes / BYTES_PER_UNIT);
            return this;
        }

        Part closeAs(String className) {
            close();
            if (className.equals(DECIMAL)) {
                cost = Math.min(UNLIMITED, cost + cost * cost);
            }
            searched = JdkTypes.contains(className) && !SPREAD.contains(className)
                    || className.equals(TIME) && UNORDERED_TIMES.contains(firstBlockByte);
            return this;
        }
    }

    /** The elements of one collection. */
    static final class Collection {
        private static final int SET = 2;
        private static final int MAP = 3;

        /** Null if nothing is counted. */
        private final CollectionCost account;

        private final Kind kind;
        private boolean chained;
        private boolean hasValues;
        private boolean counted;
        private long objects;
        private long keys;
        private long keyCost;
        private long searchedKeys;
        private long searchedCost;

        private Collection(CollectionCost account, Kind kind) {
            this.account = account;
            this.kind = kind;
            chained = kind == Kind.CHAINED_MAP;
            hasValues = kind == Kind.HASH_MAP || kind == Kind.CHAINED_MAP || kind == Kind.SORTED_MAP;
            counted = kind != Kind.OTHER && kind != Kind.IMMUTABLE;
        }

        /** @param start where the fields begin; they end at the position */
        void onFields(ByteBuffer in, int start) {
            if (kind == Kind.IMMUTABLE && in.position() - start >= Integer.BYTES) {
                int tag = in.getInt(start) & 0xFF;
                counted = chained = tag == SET || tag == MAP;
                hasValues = tag == MAP;
            }
        }

        void add(Part element) {
            if (!counted || hasValues && (objects++ & 1) != 0) {
                return;
            }
            keys++;
            keyCost = Math.min(UNLIMITED, keyCost + element.cost());
            if (element.searched) {
                searchedKeys++;
                searchedCost = Math.min(UNLIMITED, searchedCost + element.cost());
            }
        }

        void end() {
            if (!counted) {
                return;
            }
            long perKey = chained ? keys : 2 + 64 - Long.numberOfLeadingZeros(keys);
            account.charge(times(perKey, keyCost));
            account.charge(times(searchedKeys, searchedCost));
        }

        private static long times(long a, long b) {
            return b != 0 && a > UNLIMITED / b ? UNLIMITED : a * b;
        }
    }
}
