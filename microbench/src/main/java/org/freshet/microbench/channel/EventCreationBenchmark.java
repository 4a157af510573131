package org.freshet.microbench.channel;

import java.util.concurrent.TimeUnit;
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
 * What does it cost to create an event of each kind, including the future of a write?
 *
 * <p>Netty 4.2 has no events.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class EventCreationBenchmark {
    @Param({"FRESHET", "NETTY3"})
    public Library library;

    private final Object message = new Object();
    private final Exception failure = new Exception("an exception to report");
    private Events events;

    /** Creates one event of each kind. */
    private interface Events {
        Object messageReceived();

        /** Creates an event and returns its future. */
        Object messageReceivedFuture();

        Object writeRequested();

        Object stateChanged();

        Object writeComplete();

        Object exceptionCaught();
    }

    @Setup
    public void choose() {
        events = library == Library.FRESHET ? freshet() : netty3();
    }

    @Benchmark
    public Object messageReceived() {
        return events.messageReceived();
    }

    @Benchmark
    public Object messageReceivedFuture() {
        return events.messageReceivedFuture();
    }

    @Benchmark
    public Object writeRequested() {
        return events.writeRequested();
    }

    @Benchmark
    public Object stateChanged() {
        return events.stateChanged();
    }

    @Benchmark
    public Object writeComplete() {
        return events.writeComplete();
    }

    @Benchmark
    public Object exceptionCaught() {
        return events.exceptionCaught();
    }

    private Events freshet() {
        var channel = new FreshetChannel(org.freshet.channel.Channels.pipeline());
        return new Events() {
            @Override
            public Object messageReceived() {
                return new org.freshet.channel.UpstreamMessageEvent(channel, message, null);
            }

            @Override
            public Object messageReceivedFuture() {
                return new org.freshet.channel.UpstreamMessageEvent(channel, message, null).getFuture();
            }

            @Override
            public Object writeRequested() {
                return new org.freshet.channel.DownstreamMessageEvent(
                        channel, org.freshet.channel.Channels.future(channel), message, null);
            }

            @Override
            public Object stateChanged() {
                return new org.freshet.channel.UpstreamChannelStateEvent(
                        channel, org.freshet.channel.ChannelState.CONNECTED, Boolean.TRUE);
            }

            @Override
            public Object writeComplete() {
                return new org.freshet.channel.DefaultWriteCompletionEvent(channel, 1);
            }

            @Override
            public Object exceptionCaught() {
                return new org.freshet.channel.DefaultExceptionEvent(channel, failure);
            }
        };
    }

    private Events netty3() {
        var channel = new Netty3Channel(org.jboss.netty.channel.Channels.pipeline());
        return new Events() {
            @Override
            public Object messageReceived() {
                return new org.jboss.netty.channel.UpstreamMessageEvent(channel, message, null);
            }

            @Override
            public Object messageReceivedFuture() {
                return new org.jboss.netty.channel.UpstreamMessageEvent(channel, message, null).getFuture();
            }

            @Override
            public Object writeRequested() {
                return new org.jboss.netty.channel.DownstreamMessageEvent(
                        channel, org.jboss.netty.channel.Channels.future(channel), message, null);
            }

            @Override
            public Object stateChanged() {
                return new org.jboss.netty.channel.UpstreamChannelStateEvent(
                        channel, org.jboss.netty.channel.ChannelState.CONNECTED, Boolean.TRUE);
            }

            @Override
            public Object writeComplete() {
                return new org.jboss.netty.channel.DefaultWriteCompletionEvent(channel, 1);
            }

            @Override
            public Object exceptionCaught() {
                return new org.jboss.netty.channel.DefaultExceptionEvent(channel, failure);
            }
        };
    }
}
