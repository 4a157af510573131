package org.freshet.microbench.operations;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
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

/** What does it cost to create and close a channel without a transport, and how much more with a reason? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class CloseReasonBenchmark {
    private final Exception cause = new Exception("not thrown");

    /** The reason passed to the close. */
    public enum Reason {
        NONE,
        CONSTANT,
        WITH_DETAIL_AND_CAUSE
    }

    @Param
    public Reason reason;

    @Benchmark
    public ChannelFuture close() {
        FreshetChannel channel = new FreshetChannel(Channels.pipeline());
        return switch (reason) {
            case NONE -> channel.close();
            case CONSTANT -> channel.close(CloseReason.SHUTDOWN);
            case WITH_DETAIL_AND_CAUSE ->
                channel.close(CloseReason.of(CloseReason.Kind.PROTOCOL, "a frame is too long", cause));
        };
    }
}
