package org.freshet.microbench.operations;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.channel.FreshetChannel;
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
 * What does it cost an event to enter a pipeline while no {@link org.freshet.channel.ChannelScope} is installed? The
 * answer is the difference of the two results: an event passed on to the same handler from below checks no scope.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class EventEntryBenchmark {
    private final Last last = new Last();
    private ChannelPipeline whole;
    private ChannelHandlerContext below;
    private ChannelEvent event;

    private static final class Last implements ChannelUpstreamHandler {
        private Object received;

        @Override
        public void handleUpstream(ChannelHandlerContext context, ChannelEvent passed) {
            received = passed;
        }
    }

    /** The handler that the second event skips. */
    private static final class Below implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext context, ChannelEvent passed) {
            context.sendUpstream(passed);
        }
    }

    @Setup
    public void makePipelines() {
        whole = Channels.pipeline(last);
        ChannelPipeline withBelow = Channels.pipeline(new Below(), last);
        FreshetChannel channel = new FreshetChannel(whole);
        below = withBelow.getContext(Below.class);
        event = new UpstreamMessageEvent(channel, "message", null);
    }

    @Benchmark
    public Object enter() {
        whole.sendUpstream(event);
        return last.received;
    }

    @Benchmark
    public Object passOn() {
        below.sendUpstream(event);
        return last.received;
    }
}
