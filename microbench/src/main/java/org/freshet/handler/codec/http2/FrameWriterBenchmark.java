package org.freshet.handler.codec.http2;

import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
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
 * What does it cost to write the frames of 32 answers into one batch? Each has a head of three fields, which later
 * batches name by index, and content that is copied (up to 1 KiB) or chained. In this package because the code it
 * measures is not public.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class FrameWriterBenchmark {
    private static final int ANSWERS = 32;
    private static final int MAX_FRAME = 16 * 1024;
    private static final int FRAME_HEADER = 9;

    @Param({"13", "1000", "16384"})
    public int contentLength;

    private final FrameWriter writer = new FrameWriter(new HpackEncoder());
    private FieldList fields;
    private ChannelBuffer content;

    @Setup
    public void makeAnswer() {
        fields = FieldList.of(
                ":status", "200", "content-type", "text/plain", "content-length", Integer.toString(contentLength));
        content = ChannelBuffers.wrappedBuffer(new byte[contentLength]);
        int first = write().readableBytes();
        int later = write().readableBytes();
        if (later >= first || later <= ANSWERS * (contentLength + 2 * FRAME_HEADER)) {
            throw new IllegalStateException(first + " octets, then " + later);
        }
    }

    @Benchmark
    public ChannelBuffer write() {
        for (int i = 0; i < ANSWERS; i++) {
            writer.writeFields(2 * i + 1, fields, false, MAX_FRAME);
            writer.writeDataHeader(2 * i + 1, contentLength, true);
            writer.writeContent(content, 0, contentLength);
        }
        ChannelBuffer batch = writer.batch();
        writer.next();
        return batch;
    }
}
