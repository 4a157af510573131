package org.freshet.handler.codec.serialization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a peer can make the JDK's collections do while they are being read. Each attack takes minutes, or all memory, if
 * it is not refused; the time limit is only for that case.
 */
@Timeout(value = 50, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectionCostTest {
    private static final ClassResolver LOADER = ClassResolvers.cacheDisabled(null);

    @AfterEach
    void clearProperties() {
        System.clearProperty(SerialPolicy.MAX_COLLECTION_COST_PROPERTY);
    }

    private static ChannelBuffer encode(Object object) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new ObjectEncoder());
        encoder.offer(object);
        return encoder.poll();
    }

    private static Object decode(ObjectDecoder decoder, ChannelBuffer bytes) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes);
        return embedder.poll();
    }

    private static void assertRefused(String attack, Object object) {
        assertRefused(attack, encode(object), "hashing and comparing the elements");
    }

    private static void assertRefused(String attack, ChannelBuffer bytes, String reason) {
        assertTrue(bytes.readableBytes() <= 1 << 20, attack + " takes " + bytes.readableBytes());
        Throwable e = assertThrows(CodecEmbedderException.class, () -> decode(new ObjectDecoder(LOADER), bytes), attack)
                .getCause();
        assertInstanceOf(InvalidClassException.class, e, attack);
        assertTrue(e.getMessage().contains(reason), () -> attack + ": " + e.getMessage());
    }

    /** Strings with the same hash: "Aa" and "BB". */
    private static List<String> colliding(int log2) {
        List<String> strings = List.of("");
        for (int i = 0; i < log2; i++) {
            List<String> longer = new ArrayList<>(2 * strings.size());
            for (String s : strings) {
                longer.add(s + "Aa");
                longer.add(s + "BB");
            }
            strings = longer;
        }
        return strings;
    }

    // ---- attacks ----

    /** Each set contains the two sets of the level below, so that a hash visits 2^100 of them. */
    @Test
    void shouldRefuseSetsOfSets() {
        assertRefused("sets of sets", nestedSets(100), "hashing and comparing the elements");
        Set<?> few = (Set<?>) decode(new ObjectDecoder(LOADER), nestedSets(3));
        assertEquals(2, few.size(), "a harmless set of sets");
    }

    /** Written by hand, because creating such sets would hash them. */
    private static ChannelBuffer nestedSets(int levels) {
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        bytes.writeInt(0);
        bytes.writeBytes(HexFormat.of().parseHex("05737201"));
        utf(bytes, "java.util.HashSet");
        bytes.writeShort(0x7870);
        beginSet(bytes, 2);
        twoSets(bytes, levels, new int[] {2});
        bytes.writeByte(0x78);
        bytes.setInt(0, bytes.readableBytes() - 4);
        return bytes;
    }

    /** @param next the next free handle; handles 0 and 1 are the class and the outermost set, and 0 is referred to */
    private static int[] twoSets(ChannelBuffer bytes, int level, int[] next) {
        bytes.writeByte(0x73);
        reference(bytes, 0);
        int first = next[0]++;
        beginSet(bytes, level == 0 ? 0 : 2);
        int[] below = level == 0 ? new int[0] : twoSets(bytes, level - 1, next);
        bytes.writeByte(0x78);
        bytes.writeByte(0x73);
        reference(bytes, 0);
        int second = next[0]++;
        beginSet(bytes, below.length + 1);
        for (int handle : below) {
            reference(bytes, handle);
        }
        bytes.writeByte(0x74);
        utf(bytes, "so that the two are not equal");
        next[0]++;
        bytes.writeByte(0x78);
        return new int[] {first, second};
    }

    private static void beginSet(ChannelBuffer bytes, int size) {
        bytes.writeBytes(HexFormat.of().parseHex("770c000000103f400000"));
        bytes.writeInt(size);
    }

    private static void reference(ChannelBuffer bytes, int handle) {
        bytes.writeByte(0x71);
        bytes.writeInt(0x7e0000 + handle);
    }

    private static void utf(ChannelBuffer bytes, String text) {
        bytes.writeShort(text.length());
        bytes.writeBytes(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    /** One long list, many times: each five-byte reference hashes all of it. */
    @Test
    void shouldRefuseManyReferencesToALongKey() {
        for (Object key : List.of(
                new ArrayList<>(Collections.nCopies(50_000, 1)),
                new BigInteger(1, filled(400_000)),
                BitSet.valueOf(filled(400_000)))) {
            ChannelBuffer bytes = encode(new Object[] {new HashSet<>(), key, key});
            assertRefused("references to a " + key.getClass(), withSetOfTheLast(bytes, 40_000), "costs more than");
        }
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 1);
        return bytes;
    }

    /** Replaces the last element of an array, a reference, with a set of many such references. */
    private static ChannelBuffer withSetOfTheLast(ChannelBuffer array, int count) {
        int last = array.getInt(array.writerIndex() - 4) - 0x7e0000;
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        bytes.writeBytes(array, array.readerIndex(), array.readableBytes() - 5);
        bytes.writeByte(0x73);
        reference(bytes, 2); // after the class of the array and the array itself: the class of the set
        beginSet(bytes, count);
        for (int i = 0; i < count; i++) {
            reference(bytes, last);
        }
        bytes.writeByte(0x78);
        bytes.setInt(0, bytes.readableBytes() - 4);
        return bytes;
    }

    @Test
    void shouldRefuseKeysOfOneHashThatCannotBeCompared() {
        List<Object> entries = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            entries.add(new SimpleImmutableEntry<>(i, i)); // these have hash 0
        }
        ChannelBuffer set = encode(new HashSet<>(Set.of("x")));
        assertRefused("entries", elements(set, entries), "hashing and comparing");
    }

    /** The same set with other elements, as a peer would write it: creating it here takes as long as reading it. */
    private static ChannelBuffer elements(ChannelBuffer setOfOneString, List<?> elements) {
        ChannelBuffer parts = encode(elements.toArray());
        // The elements follow the array's class, where handles 0 and 1 are the class and the array; in the set, too.
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        bytes.writeBytes(setOfOneString, setOfOneString.readerIndex(), setOfOneString.readableBytes() - 5);
        bytes.setInt(bytes.writerIndex() - 4, elements.size());
        String text = parts.toString(java.nio.charset.StandardCharsets.ISO_8859_1);
        int start = text.indexOf("xp") + 2 + 4;
        bytes.writeBytes(parts, parts.readerIndex() + start, parts.readableBytes() - start);
        bytes.writeByte(0x78);
        bytes.setInt(0, bytes.readableBytes() - 4);
        return bytes;
    }

    @Test
    void shouldRefuseAHashtableOfManyKeys() {
        Hashtable<Object, Object> table = new Hashtable<>();
        for (int i = 0; i < 20_000; i++) {
            table.put(i, 1);
        }
        assertRefused("a Hashtable", table);
    }

    @Test
    void shouldRefuseImmutableSetsAndMapsOfManyKeys() {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            map.put(i, i);
        }
        assertRefused("Set.of", Set.copyOf(map.keySet()));
        assertRefused("Map.of", Map.copyOf(map));
    }

    @Test
    void shouldRefuseToCompareLongDecimalsOfDifferentScale() {
        PriorityQueue<BigDecimal> queue = new PriorityQueue<>();
        queue.add(BigDecimal.ONE);
        queue.add(new BigDecimal(BigInteger.ONE.shiftLeft(250_000), -5));
        assertRefused("decimals", queue);
    }

    /** References to a string that is compared with itself, character by character. */
    @Test
    void shouldRefuseToCompareALongStringWithItselfEndlessly() {
        String text = "x".repeat(100_000);
        assertRefused("strings", new PriorityQueue<>(Collections.nCopies(3000, text)));
    }

    @Test
    void shouldLimitTheSumOfAllArrays() {
        // Object[n] { Object[n] { ... } }: each array is within the limit of the object's size.
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        bytes.writeInt(0);
        bytes.writeBytes(HexFormat.of()
                .parseHex("0575720000135b4c6a6176612e6c616e672e4f626a6563743b90ce589f1073296c0200007870"));
        int padding = 100_000;
        for (int i = 0; i < 15; i++) {
            bytes.writeInt(padding);
            bytes.writeBytes(HexFormat.of().parseHex("7571007e0000"));
        }
        bytes.writeInt(padding);
        for (int i = 0; i < padding; i++) {
            bytes.writeByte(0x70);
        }
        bytes.setInt(0, bytes.readableBytes() - 4);
        assertRefused("nested arrays", bytes, "array lengths add up to more than");
    }

    @Test
    void shouldRefuseASetThatHashesAPartThatContainsIt() {
        List<Object> list = new ArrayList<>();
        Set<Object> set = new HashSet<>();
        list.add(set);
        set.add(list);
        assertRefused("a cycle", list);
    }

    @Test
    void shouldAlsoApplyToStreams() {
        Hashtable<Object, Object> table = new Hashtable<>();
        for (int i = 0; i < 20_000; i++) {
            table.put(i, 1);
        }
        ChannelBuffer bytes = encode(table);
        byte[] array = new byte[bytes.readableBytes()];
        bytes.readBytes(array);
        assertThrows(
                InvalidClassException.class,
                () -> new ObjectDecoderInputStream(new java.io.ByteArrayInputStream(array)).readObject());
    }

    @Test
    void shouldRefuseObjectsThatCannotBeScanned() {
        ChannelBuffer bytes = encode(new HashSet<>(Set.of("x")));
        int tag = bytes.writerIndex() - 1 - 4;
        bytes.setByte(tag, 0x7b); // the writer's exception instead of a string
        assertRefused("an unknown tag", bytes, "cannot scan the object");
    }

    // ---- harmless collections ----

    @Test
    void shouldAcceptLargeCollectionsOfValues() throws Exception {
        Map<Object, Object> strings = new HashMap<>();
        Map<Object, Object> numbers = new TreeMap<>();
        Set<Object> ids = new HashSet<>();
        Properties properties = new Properties();
        Map<Object, Object> lists = new ConcurrentHashMap<>();
        for (int i = 0; i < 15_000; i++) {
            strings.put("key " + i, List.of(i));
            numbers.put(i, "x");
            ids.add(new UUID(i, i));
            properties.setProperty("property " + i, "" + i);
        }
        for (int i = 0; i < 500; i++) {
            lists.put(List.of("a", i), new HashMap<>(Map.of(Set.of(1), Set.of(List.of()))));
        }
        Set<Object> addresses = new LinkedHashSet<>();
        for (int i = 0; i < 5000; i++) {
            addresses.add(InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i}));
        }
        List<Object> samples = List.of(
                strings,
                numbers,
                ids,
                properties,
                lists,
                addresses,
                new HashSet<>(colliding(14)),
                new TreeSet<>(strings.keySet()),
                new Hashtable<>(Map.of("a", Map.of("b", 1))),
                new HashMap<>(Map.of(Instant.EPOCH, new Hashtable<>(numbersTo(1000)))));
        for (Object sample : samples) {
            assertEquals(sample, decode(new ObjectDecoder(1 << 22, LOADER), encode(sample)));
        }
        Object queue = decode(new ObjectDecoder(1 << 22, LOADER), encode(new PriorityQueue<>(numbers.keySet())));
        assertEquals(15_000, ((PriorityQueue<?>) queue).size());
    }

    private static Map<Integer, Integer> numbersTo(int end) {
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int i = 0; i < end; i++) {
            numbers.put(i, i);
        }
        return numbers;
    }

    @Test
    void shouldAcceptMoreIfThePropertySaysSo() {
        Hashtable<Object, Object> table = new Hashtable<>(numbersTo(5000));
        assertRefused("a Hashtable", table);
        System.setProperty(SerialPolicy.MAX_COLLECTION_COST_PROPERTY, "100000000");
        assertEquals(table, decode(new ObjectDecoder(LOADER), encode(table)));
    }

    // ---- the estimate ----

    /** Counts how often it is hashed and compared. */
    static final class Counted implements Serializable {
        private static final long serialVersionUID = 1;

        static final AtomicLong calls = new AtomicLong();

        final int number;

        Counted(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            calls.incrementAndGet();
            return other instanceof Counted that && that.number == number;
        }

        @Override
        public int hashCode() {
            calls.incrementAndGet();
            return number;
        }
    }

    @Test
    void shouldEstimateNoLessThanTheCallsThatReadingMakes() throws Exception {
        List<Object> shared = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            shared.add(new Counted(i));
        }
        List<Object> sets = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            sets.add(new ArrayList<>(List.of(shared, new Counted(i), shared)));
        }
        List<Object> samples = List.of(
                new HashSet<>(sets),
                new HashMap<>(Map.of(sets, 1, shared, new HashSet<>(shared))),
                new Hashtable<>(Map.of(new Counted(1), 1, new Counted(2), 2, shared, 3)),
                Set.copyOf(sets),
                Map.of(shared, sets, sets, shared),
                new HashSet<>(Set.of(new HashSet<>(Set.of(new HashSet<>(shared), sets)))));
        ObjectInputFilter all = ObjectInputFilter.Config.createFilter("*");
        for (Object sample : samples) {
            ChannelBuffer bytes = encode(sample);
            bytes.skipBytes(4);
            SerialPolicy policy = SerialPolicy.of(LOADER, all);
            SerialFilter filter = new SerialFilter(policy, null, bytes.readableBytes(), null);
            long cost =
                    StreamScan.cost(bytes.toByteBuffer().order(ByteOrder.BIG_ENDIAN), LOADER, filter, policy.maxDepth);
            Counted.calls.set(0);
            CompactObjectInputStream.read(bytes, policy);
            long calls = Counted.calls.get();
            assertTrue(calls > 0 && cost >= calls, () -> sample + ": cost " + cost + ", calls " + calls);
            assertTrue(cost < 200 * calls, () -> sample + ": cost " + cost + ", calls " + calls);
        }
    }

    @Test
    void shouldScanEverythingThatTheEncoderWrites() throws Exception {
        List<Object> samples = new ArrayList<>(Samples.jdk());
        samples.addAll(Samples.custom());
        ObjectInputFilter all = ObjectInputFilter.Config.createFilter("*");
        for (Object sample : samples) {
            // Next to a set, so that the scan is made.
            ChannelBuffer bytes = encode(new Object[] {new HashSet<>(), sample, new HashMap<>(Map.of("k", sample))});
            assertNotNull(decode(new ObjectDecoder(1 << 20, LOADER, all), bytes));
        }
    }

    @Test
    void shouldReportEveryTruncationAsAnIOException() {
        ChannelBuffer whole = encode(new Object[] {new HashMap<>(Map.of("k", List.of(1))), new Samples.Custom("a", 1)});
        for (int length = 1; length < whole.readableBytes() - 4; length++) {
            ChannelBuffer cut = ChannelBuffers.dynamicBuffer();
            cut.writeInt(length);
            cut.writeBytes(whole, 4, length);
            Throwable e = assertThrows(CodecEmbedderException.class, () -> decode(new ObjectDecoder(LOADER), cut))
                    .getCause();
            assertInstanceOf(IOException.class, e);
        }
    }
}
