package org.freshet.microbench.channel;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.Channels;
import org.freshet.microbench.JvmFlags;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to look up a channel's variable, compared with other ways to find it?
 *
 * <p>A field read is the floor. Each way holds {@value #VARIABLES} variables for {@value #CHANNELS} channels, and looks
 * up the last variable of one channel after the other.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class ChannelLocalBenchmark {
    private static final int CHANNELS = 64;
    private static final int VARIABLES = 4;

    private final Holder[] holders = new Holder[CHANNELS];
    private final FreshetChannel[] freshetChannels = new FreshetChannel[CHANNELS];
    private final Netty3Channel[] netty3Channels = new Netty3Channel[CHANNELS];
    private final ThreadLocal<Object> threadLocal = new ThreadLocal<>();
    private final Map<Object, Object> weakMap = Collections.synchronizedMap(new WeakHashMap<>());
    private ChannelLocal<Object> freshetLocal;
    private org.jboss.netty.channel.ChannelLocal<Object> netty3Local;
    private int next;

    /** The fields of a handler's own channel subclass. */
    private static final class Holder {
        private final Object value;

        Holder(Object value) {
            this.value = value;
        }
    }

    @Setup
    public void setValues() {
        for (int i = 0; i < CHANNELS; i++) {
            holders[i] = new Holder(i);
            freshetChannels[i] = new FreshetChannel(Channels.pipeline());
            netty3Channels[i] = new Netty3Channel(org.jboss.netty.channel.Channels.pipeline());
            weakMap.put(freshetChannels[i], i);
        }
        for (int variable = 0; variable < VARIABLES; variable++) {
            freshetLocal = new ChannelLocal<>();
            netty3Local = new org.jboss.netty.channel.ChannelLocal<>();
            for (int i = 0; i < CHANNELS; i++) {
                freshetLocal.set(freshetChannels[i], i);
                netty3Local.set(netty3Channels[i], i);
            }
        }
    }

    /** A thread-local belongs to the measuring thread. */
    @State(Scope.Thread)
    public static class ThreadLocals {
        @Setup
        public void setValue(ChannelLocalBenchmark benchmark) {
            benchmark.threadLocal.set(0);
        }
    }

    @Benchmark
    public Object field() {
        return holders[nextIndex()].value;
    }

    @Benchmark
    public Object freshet() {
        return freshetLocal.get(freshetChannels[nextIndex()]);
    }

    @Benchmark
    public Object netty3() {
        return netty3Local.get(netty3Channels[nextIndex()]);
    }

    @Benchmark
    public Object threadLocal(ThreadLocals ready) {
        nextIndex();
        return threadLocal.get();
    }

    @Benchmark
    public Object weakMap() {
        return weakMap.get(freshetChannels[nextIndex()]);
    }

    private int nextIndex() {
        next = (next + 1) % CHANNELS;
        return next;
    }
}
