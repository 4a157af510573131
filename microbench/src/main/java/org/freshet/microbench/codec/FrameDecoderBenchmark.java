package org.freshet.microbench.codec;

import java.util.concurrent.TimeUnit;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.Library;
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

/**
 * What does a frame of {@value #FRAME_BYTES} bytes cost that arrives with many others in a large read, or in pieces?
 *
 * <p>Each call receives a stream of {@value #FRAMES} frames, in reads of one size that usually end in the middle of a
 * frame. The result is the time of one frame, including creating and firing the buffer of a read:
 * {@link FrameKind#NONE} shows how much that is.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {
            JvmFlags.MIN_HEAP,
            JvmFlags.MAX_HEAP,
            JvmFlags.COLLECTOR,
            Netty4Threads.CUSTOM,
            Netty4Threads.CLASS
        })
public class FrameDecoderBenchmark {
    static final int FRAME_BYTES = 100;
    static final int FRAMES = 2048;

    @Param
    public Library library;

    @Param
    public FrameKind decoder;

    @Param({"65536", "7"})
    public int readBytes;

    private final byte[] stream = new byte[FRAMES * FRAME_BYTES];
    private FrameDecoding decoding;

    @Setup
    public void makePipeline() {
        byte[] frame = decoder.frame(FRAME_BYTES);
        for (int i = 0; i < FRAMES; i++) {
            System.arraycopy(frame, 0, stream, i * FRAME_BYTES, FRAME_BYTES);
        }
        decoding = switch (library) {
            case FRESHET -> new FreshetFrames(decoder, FRAME_BYTES);
            case NETTY3 -> new Netty3Frames(decoder, FRAME_BYTES);
            case NETTY4 -> new Netty4Frames(decoder, FRAME_BYTES);
        };
        decode();
        int reads = (stream.length + readBytes - 1) / readBytes;
        int frames = decoder == FrameKind.NONE ? reads : FRAMES;
        int bytes = stream.length - FRAMES * decoder.overheadBytes();
        if (decoding.frames() != frames || decoding.bytes() != bytes) {
            throw new IllegalStateException(library + ": not " + frames + " frames of " + bytes + " bytes in total but "
                    + decoding.frames() + " of " + decoding.bytes());
        }
    }

    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long decode() {
        for (int offset = 0; offset < stream.length; offset += readBytes) {
            decoding.receive(stream, offset, Math.min(readBytes, stream.length - offset));
        }
        return decoding.bytes();
    }
}
