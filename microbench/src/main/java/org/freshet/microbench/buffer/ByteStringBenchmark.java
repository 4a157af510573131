package org.freshet.microbench.buffer;

import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ByteString;
import org.freshet.microbench.JvmFlags;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How close do byte strings come to arrays in comparisons, and to strings as keys of a map?
 *
 * <p>The bytes are ASCII, so all kinds can hold them. {@code equals} knows no hash; the look-up knows all of them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class ByteStringBenchmark {
    private static final int KEYS = 64;

    @Param({"10", "50", "100", "1000", "10000", "100000"})
    public int size;

    @Param
    public Difference difference;

    private byte[] array;
    private byte[] otherArray;
    private ByteString freshet;
    private ByteString otherFreshet;
    private AsciiString netty4;
    private AsciiString otherNetty4;
    private String string;
    private String otherString;
    private final Map<Object, Integer> map = new HashMap<>();

    /** The position of the different byte. */
    public enum Difference {
        NONE,
        FIRST,
        LAST
    }

    @Setup
    public void makeStrings() {
        array = new byte[size];
        for (int i = 0; i < size; i++) {
            array[i] = (byte) ('a' + i % 23);
        }
        otherArray = array.clone();
        switch (difference) {
            case NONE -> {}
            case FIRST -> otherArray[0] = '!';
            case LAST -> otherArray[size - 1] = '!';
        }
        freshet = ByteString.of(array);
        otherFreshet = ByteString.of(otherArray);
        netty4 = new AsciiString(array);
        otherNetty4 = new AsciiString(otherArray);
        string = new String(array, StandardCharsets.ISO_8859_1);
        otherString = new String(otherArray, StandardCharsets.ISO_8859_1);
        boolean equal = difference == Difference.NONE;
        if (arrays() != equal || freshet() != equal || netty4() != equal || string() != equal) {
            throw new IllegalStateException("wrong result");
        }
        fillMap();
    }

    /** Keys of all kinds, so that the {@code equals} called by a look-up is not inlined for one of them. */
    private void fillMap() {
        for (int i = 0; i < KEYS; i++) {
            byte[] key = otherArray.clone();
            key[size - 1] = (byte) i;
            map.put(ByteString.of(key), i);
            map.put(new AsciiString(key), i);
            map.put(new String(key, StandardCharsets.ISO_8859_1), i);
        }
        map.put(ByteString.of(array), KEYS);
        map.put(new AsciiString(array), KEYS);
        map.put(new String(array, StandardCharsets.ISO_8859_1), KEYS);
    }

    @Benchmark
    public boolean arrays() {
        return Arrays.equals(array, otherArray);
    }

    @Benchmark
    public boolean freshet() {
        return freshet.equals(otherFreshet);
    }

    @Benchmark
    public boolean netty4() {
        return netty4.equals(otherNetty4);
    }

    @Benchmark
    public boolean string() {
        return string.equals(otherString);
    }

    @Benchmark
    public Object freshetKey() {
        return map.get(freshet);
    }

    @Benchmark
    public Object netty4Key() {
        return map.get(netty4);
    }

    @Benchmark
    public Object stringKey() {
        return map.get(string);
    }
}
