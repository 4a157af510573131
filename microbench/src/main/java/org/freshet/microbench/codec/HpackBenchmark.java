package org.freshet.microbench.codec;

import java.util.concurrent.TimeUnit;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
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
 * What does it cost to encode and decode the fields of a browser's request and of the answer? Measured for the first
 * block of a connection, which creates the tables and adds every field to them, and for all later ones, which name most
 * fields by index.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class HpackBenchmark {
    /** The position of the block in its connection. */
    public enum Block {
        FIRST,
        LATER
    }

    @Param({"FRESHET", "NETTY4"})
    public Library library;

    @Param
    public HpackTraffic traffic;

    @Param
    public Block block;

    private HpackCoding coding;
    private byte[] encoded;

    @Setup
    public void makeCoding() {
        coding = switch (library) {
            case FRESHET -> new FreshetHpack(traffic);
            case NETTY4 -> new Netty4Hpack(traffic);
            case NETTY3 -> throw new IllegalArgumentException("Netty 3 has no HPACK");
        };
        HpackEncoder encoder = new HpackEncoder();
        encoded = traffic.nextBlock(encoder);
        int first = coding.encode();
        requireAllFields();
        if (block == Block.LATER) {
            encoded = traffic.nextBlock(encoder);
            requireAllFields();
            if (coding.encode() >= first) {
                throw new IllegalStateException(library + ": a later block is not shorter");
            }
        }
    }

    private void requireAllFields() {
        if (coding.decode(encoded) != traffic.fields().size() / 2) {
            throw new IllegalStateException(library + " loses fields");
        }
    }

    @Benchmark
    public int encode() {
        if (block == Block.FIRST) {
            coding.reset();
        }
        return coding.encode();
    }

    @Benchmark
    public int decode() {
        if (block == Block.FIRST) {
            coding.reset();
        }
        return coding.decode(encoded);
    }
}
