package org.freshet.microbench.operations;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.channel.FreshetChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to create a future that fails, and how much more if the failure is never observed, so that it is
 * counted?
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class FailedFutureBenchmark {
    private static final ChannelFutureListener LISTENER = future -> {};

    private final FreshetChannel channel = new FreshetChannel(Channels.pipeline());

    /** Of a kind that is counted, and would be logged with the class's debug messages. */
    private final Exception lost = new IOException("not thrown");

    /** Of a kind that is counted, recorded for Flight Recorder and logged once a minute. */
    private final Exception fault = new IllegalStateException("not thrown: one such line a minute is expected");

    /** The end of the future. */
    public enum End {
        SUCCESS,
        FAILURE_WITH_LISTENER,
        LOST_CONNECTION_UNOBSERVED,
        FAULT_UNOBSERVED
    }

    @Param
    public End end;

    @Benchmark
    public ChannelFuture complete() {
        ChannelFuture future = new DefaultChannelFuture(channel, false);
        switch (end) {
            case SUCCESS -> future.setSuccess();
            case FAILURE_WITH_LISTENER -> {
                future.addListener(LISTENER);
                future.setFailure(fault);
            }
            case LOST_CONNECTION_UNOBSERVED -> future.setFailure(lost);
            case FAULT_UNOBSERVED -> future.setFailure(fault);
        }
        return future;
    }
}
