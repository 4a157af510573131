package org.freshet.handler.codec.http2;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
 * What does it cost to choose the next of many streams with mixed urgencies, which become ready in any order? Each call
 * makes all streams ready once and takes all of them, so a call with 10,000 streams should cost ten times that with
 * 1,000. And what does it cost to change priorities in between? In this package because the code it measures is not
 * public.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class SendSchedulerBenchmark {
    private static final int URGENCIES = 8;
    private static final long SEED = 17;

    @Param({"1000", "10000"})
    public int streams;

    private final SendScheduler scheduler = new SendScheduler();
    private Stream[] shuffled;

    /** The priorities of the streams, in a different order with each call. */
    private Http2Priority[] priorities;

    private int turn;

    @Setup
    public void makeStreams() {
        Random random = new Random(SEED);
        Stream[] all = new Stream[streams];
        for (int i = 0; i < streams; i++) {
            all[i] = new Stream(null, 0);
            all[i].setPriority(new Http2Priority(random.nextInt(URGENCIES), random.nextBoolean()));
        }
        List<Stream> list = Arrays.asList(all);
        Collections.shuffle(list, random);
        shuffled = all;
        priorities = Arrays.stream(all).map(Stream::priority).toArray(Http2Priority[]::new);
    }

    @Benchmark
    public int fillAndDrain() {
        fill();
        return drain();
    }

    /** Each stream gets another one's priority while all of them are ready. */
    @Benchmark
    public int fillChangePrioritiesAndDrain() {
        fill();
        turn++;
        for (int i = 0; i < streams; i++) {
            scheduler.remove(shuffled[i]);
            shuffled[i].setPriority(priorities[(i + turn) % streams]);
            scheduler.add(shuffled[i]);
        }
        return drain();
    }

    private void fill() {
        for (Stream stream : shuffled) {
            scheduler.add(stream);
        }
    }

    private int drain() {
        int taken = 0;
        int urgency = 0;
        for (Stream stream = scheduler.poll(); stream != null; stream = scheduler.poll()) {
            if (stream.priority().urgency() < urgency) {
                throw new IllegalStateException("a less urgent stream was chosen first");
            }
            urgency = stream.priority().urgency();
            taken++;
        }
        if (taken != streams) {
            throw new IllegalStateException(taken + " streams were chosen, of " + streams);
        }
        return taken;
    }
}
