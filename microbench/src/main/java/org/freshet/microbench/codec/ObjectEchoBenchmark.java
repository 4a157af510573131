package org.freshet.microbench.codec;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.Library;
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
 * What does it cost to write an object and read it again?
 *
 * <p>Most of it is the JDK's serialization, the same for all. The differences are the buffer underneath, the way
 * classes are found, and Freshet's filter check for each class.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {
            JvmFlags.MIN_HEAP,
            JvmFlags.MAX_HEAP,
            JvmFlags.COLLECTOR,
            Netty4Threads.CUSTOM,
            Netty4Threads.CLASS
        })
public class ObjectEchoBenchmark {
    private static final int NUMBERS = 256;
    private static final int ITEMS = 5;

    @Param
    public Library library;

    @Param
    public Kind message;

    private Object object;
    private ObjectEcho echo;

    /** The object echoed. */
    public enum Kind {
        /** A list of many small objects of one JDK class. */
        NUMBERS,
        /** A few objects of the user's own classes. */
        ORDER
    }

    record Order(long id, String customer, List<Item> items) implements Serializable {}

    record Item(String name, int count, double price) implements Serializable {}

    @Setup
    public void makePipeline() {
        object = message == Kind.NUMBERS ? numbers() : order();
        echo = switch (library) {
            case FRESHET -> new FreshetObjectEcho();
            case NETTY3 -> new Netty3ObjectEcho();
            case NETTY4 -> new Netty4ObjectEcho();
        };
        Object copy = echo.echo(object);
        if (copy == object || !object.equals(copy)) {
            throw new IllegalStateException(library + ": not a copy of " + object + ": " + copy);
        }
    }

    private static List<Integer> numbers() {
        return new ArrayList<>(IntStream.range(0, NUMBERS).boxed().toList());
    }

    private static Order order() {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            items.add(new Item("item " + i, i, i / 4.0));
        }
        return new Order(4711, "a customer", items);
    }

    @Benchmark
    public Object echo() {
        return echo.echo(object);
    }
}
