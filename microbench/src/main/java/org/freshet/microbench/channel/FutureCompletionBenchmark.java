package org.freshet.microbench.channel;

import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.GenericFutureListener;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFutureListener;
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

/** What does it cost to create a future, add 0, 1 or 2 listeners, and complete it, all on one thread? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class FutureCompletionBenchmark {
    @Param
    public Library library;

    @Param({"0", "1", "2"})
    public int listeners;

    private Completion completion;
    private long notified;

    /** Creates a future whose listeners count in {@link #notified}, completes it and returns it. */
    private interface Completion {
        Object complete(int listeners);
    }

    @Setup
    public void choose() {
        completion = switch (library) {
            case FRESHET -> freshet();
            case NETTY3 -> netty3();
            case NETTY4 -> netty4();
        };
        notified = 0;
        completion.complete(listeners);
        if (notified != listeners) {
            throw new IllegalStateException(library + ": notified " + notified + " of " + listeners + " listeners");
        }
    }

    @Benchmark
    public Object complete() {
        return completion.complete(listeners);
    }

    private Completion freshet() {
        FreshetChannel channel = new FreshetChannel(org.freshet.channel.Channels.pipeline());
        ChannelFutureListener listener = future -> notified++;
        return count -> {
            var future = new org.freshet.channel.DefaultChannelFuture(channel, false);
            for (int i = 0; i < count; i++) {
                future.addListener(listener);
            }
            future.setSuccess();
            return future;
        };
    }

    private Completion netty3() {
        Netty3Channel channel = new Netty3Channel(org.jboss.netty.channel.Channels.pipeline());
        org.jboss.netty.channel.ChannelFutureListener listener = future -> notified++;
        return count -> {
            var future = new org.jboss.netty.channel.DefaultChannelFuture(channel, false);
            for (int i = 0; i < count; i++) {
                future.addListener(listener);
            }
            future.setSuccess();
            return future;
        };
    }

    private Completion netty4() {
        GenericFutureListener<DefaultPromise<Void>> listener = future -> notified++;
        return count -> {
            var future = new DefaultPromise<Void>(ImmediateEventExecutor.INSTANCE);
            for (int i = 0; i < count; i++) {
                future.addListener(listener);
            }
            future.setSuccess(null);
            return future;
        };
    }
}
