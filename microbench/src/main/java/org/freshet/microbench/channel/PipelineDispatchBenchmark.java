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
 * What does it cost to create an event and send it through 1, 4 or 16 handlers, up and down?
 *
 * <p>Up: a message is fired, each handler passes it on, the last keeps it. Down: a message is written, each handler
 * passes it on, the end completes its future. The handlers are of four classes in rotation, because in real pipelines
 * they are not all of one class.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class PipelineDispatchBenchmark {
    @Param
    public Library library;

    @Param({"1", "4", "16"})
    public int handlers;

    private final Object message = new Object();
    private Dispatch dispatch;

    /** A pipeline under test. */
    interface Dispatch {
        /** Fires a message and returns the one that the last handler received. */
        Object up(Object message);

        /** Writes a message and returns its future, which is done. */
        Object down(Object message);
    }

    @Setup
    public void makePipeline() {
        dispatch = switch (library) {
            case FRESHET -> new FreshetDispatch(handlers);
            case NETTY3 -> new Netty3Dispatch(handlers);
            case NETTY4 -> new Netty4Dispatch(handlers);
        };
        if (dispatch.up(message) != message || dispatch.down(message) == null) {
            throw new IllegalStateException(library + ": the message did not arrive");
        }
    }

    @Benchmark
    public Object up() {
        return dispatch.up(message);
    }

    @Benchmark
    public Object down() {
        return dispatch.down(message);
    }
}
