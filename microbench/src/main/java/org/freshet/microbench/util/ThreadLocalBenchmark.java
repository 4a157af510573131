package org.freshet.microbench.util;

import io.netty.util.concurrent.FastThreadLocal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.Channels;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.channel.FreshetChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What is the cheapest place for a thread's variables: a JDK thread-local, Netty's on one of its own threads or
 * another, a field of the thread's class, a scoped value, or a channel's variable?
 *
 * <p>Each call reads {@value #READS} times, one variable after the other. Freshet's loops keep theirs in fields. Before
 * Java 25, {@code scopedValue} measures only the loop.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {
            JvmFlags.MIN_HEAP,
            JvmFlags.MAX_HEAP,
            JvmFlags.COLLECTOR,
            FieldThreads.CUSTOM,
            FieldThreads.CLASS
        })
public class ThreadLocalBenchmark {
    static final int READS = 1024;

    private static final Scoped SCOPED = Scoped.ofThisJvm();

    @Param({"1", "32"})
    public int variables;

    private ThreadLocal<Object>[] threadLocals;
    private FastThreadLocal<Object>[] fastThreadLocals;
    private ChannelLocal<Object>[] channelLocals;
    private Object[] scopedValues;
    private FreshetChannel channel;

    @Setup
    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types
    public void setValues() throws Throwable {
        channel = new FreshetChannel(Channels.pipeline());
        threadLocals = new ThreadLocal[variables];
        fastThreadLocals = new FastThreadLocal[variables];
        channelLocals = new ChannelLocal[variables];
        scopedValues = new Object[variables];
        for (int i = 0; i < variables; i++) {
            threadLocals[i] = new ThreadLocal<>();
            threadLocals[i].set(i);
            fastThreadLocals[i] = new FastThreadLocal<>();
            fastThreadLocals[i].set(i);
            channelLocals[i] = new ChannelLocal<>();
            channelLocals[i].set(channel, i);
            scopedValues[i] = SCOPED.make();
        }
        if (Thread.currentThread() instanceof FieldThreads.FieldThread thread) {
            thread.value = this;
        }
    }

    @Benchmark
    @OperationsPerInvocation(READS)
    public void jdk(Blackhole blackhole) {
        for (int i = 0; i < READS; i++) {
            blackhole.consume(threadLocals[i & variables - 1].get());
        }
    }

    @Benchmark
    @OperationsPerInvocation(READS)
    public void netty4OnItsThread(Blackhole blackhole) {
        for (int i = 0; i < READS; i++) {
            blackhole.consume(fastThreadLocals[i & variables - 1].get());
        }
    }

    @Benchmark
    @Fork(
            value = 2,
            jvmArgs = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
    @OperationsPerInvocation(READS)
    public void netty4OnAnother(Blackhole blackhole) {
        for (int i = 0; i < READS; i++) {
            blackhole.consume(fastThreadLocals[i & variables - 1].get());
        }
    }

    /** The way a Freshet loop finds itself and its variables; one field, whatever {@link #variables} says. */
    @Benchmark
    @OperationsPerInvocation(READS)
    public void fieldOfThread(Blackhole blackhole) {
        for (int i = 0; i < READS; i++) {
            if (Thread.currentThread() instanceof FieldThreads.FieldThread thread) {
                blackhole.consume(thread.value);
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(READS)
    public void channelLocal(Blackhole blackhole) {
        for (int i = 0; i < READS; i++) {
            blackhole.consume(channelLocals[i & variables - 1].get(channel));
        }
    }

    @Benchmark
    @OperationsPerInvocation(READS)
    public void scopedValue(Blackhole blackhole) throws Throwable {
        SCOPED.run(scopedValues, () -> {
            for (int i = 0; i < READS; i++) {
                blackhole.consume(Scoped.get(scopedValues[i & variables - 1]));
            }
        });
    }

    /** {@code ScopedValue} by name, because this is compiled for Java 17. */
    private record Scoped(MethodHandle constructor, MethodHandle where, MethodHandle and, MethodHandle runner) {
        /** Static and final, so that it is compiled like a call. Null before Java 25. */
        private static final MethodHandle GET = getter();

        private static MethodHandle getter() {
            try {
                Class<?> type = Class.forName("java.lang.ScopedValue");
                return MethodHandles.publicLookup()
                        .findVirtual(type, "get", MethodType.methodType(Object.class))
                        .asType(MethodType.methodType(Object.class, Object.class));
            } catch (ReflectiveOperationException e) {
                return null;
            }
        }

        static Scoped ofThisJvm() {
            if (GET == null || Runtime.version().feature() < 25) {
                return new Scoped(null, null, null, null);
            }
            try {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                Class<?> type = Class.forName("java.lang.ScopedValue");
                Class<?> carrier = Class.forName("java.lang.ScopedValue$Carrier");
                return new Scoped(
                        lookup.findStatic(type, "newInstance", MethodType.methodType(type)),
                        lookup.findStatic(type, "where", MethodType.methodType(carrier, type, Object.class)),
                        lookup.findVirtual(carrier, "where", MethodType.methodType(carrier, type, Object.class)),
                        lookup.findVirtual(carrier, "run", MethodType.methodType(void.class, Runnable.class)));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        Object make() throws Throwable {
            return constructor == null ? null : constructor.invoke();
        }

        static Object get(Object value) {
            try {
                return value == null ? null : GET.invokeExact(value);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        void run(Object[] values, Runnable action) throws Throwable {
            if (constructor == null) {
                action.run();
                return;
            }
            Object carrier = where.invoke(values[0], (Object) 0);
            for (int i = 1; i < values.length; i++) {
                carrier = and.invoke(carrier, values[i], (Object) i);
            }
            runner.invoke(carrier, action);
        }
    }
}
