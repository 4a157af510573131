package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.nio.ByteOrder;
import java.util.Arrays;
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
 * What does it cost to find the end of a line, by byte and with an index finder?
 *
 * <p>The byte is the last one, so the whole buffer is searched. Netty 4.2 has processors instead of finders.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class SearchBenchmark {
    private static final byte LAST = '\n';

    @Param
    public Library library;

    @Param({"HEAP", "DIRECT", "COMPOSITE"})
    public BufferKind kind;

    @Param({"16", "1024"})
    public int size;

    private Search search;

    /** A buffer under test; each result is the index of its last byte. */
    private interface Search {
        int indexOf();

        int indexOfFinder();

        int bytesBefore();

        int bytesBeforeFinder();
    }

    @Setup
    public void makeBuffer() {
        search = switch (library) {
            case FRESHET -> freshet();
            case NETTY3 -> netty3();
            case NETTY4 -> netty4();
        };
        int sum = indexOf() + indexOfFinder() + bytesBefore() + bytesBeforeFinder();
        if (sum != 4 * (size - 1)) {
            throw new IllegalStateException(library + ": not found");
        }
    }

    private byte[] text() {
        byte[] text = new byte[size];
        Arrays.fill(text, (byte) 'a');
        text[size - 1] = LAST;
        return text;
    }

    @Benchmark
    public int indexOf() {
        return search.indexOf();
    }

    @Benchmark
    public int indexOfFinder() {
        return search.indexOfFinder();
    }

    @Benchmark
    public int bytesBefore() {
        return search.bytesBefore();
    }

    @Benchmark
    public int bytesBeforeFinder() {
        return search.bytesBeforeFinder();
    }

    private Search freshet() {
        var buffer = FreshetBuffers.make(kind, ByteOrder.BIG_ENDIAN, size);
        buffer.setBytes(0, text());
        return new Search() {
            @Override
            public int indexOf() {
                return buffer.indexOf(0, size, LAST);
            }

            @Override
            public int indexOfFinder() {
                return buffer.indexOf(0, size, org.freshet.buffer.ChannelBufferIndexFinder.LF);
            }

            @Override
            public int bytesBefore() {
                return buffer.bytesBefore(LAST);
            }

            @Override
            public int bytesBeforeFinder() {
                return buffer.bytesBefore(org.freshet.buffer.ChannelBufferIndexFinder.CRLF);
            }
        };
    }

    private Search netty3() {
        var buffer = Netty3Buffers.make(kind, ByteOrder.BIG_ENDIAN, size);
        buffer.setBytes(0, text());
        return new Search() {
            @Override
            public int indexOf() {
                return buffer.indexOf(0, size, LAST);
            }

            @Override
            public int indexOfFinder() {
                return buffer.indexOf(0, size, org.jboss.netty.buffer.ChannelBufferIndexFinder.LF);
            }

            @Override
            public int bytesBefore() {
                return buffer.bytesBefore(LAST);
            }

            @Override
            public int bytesBeforeFinder() {
                return buffer.bytesBefore(org.jboss.netty.buffer.ChannelBufferIndexFinder.CRLF);
            }
        };
    }

    private Search netty4() {
        ByteBuf buffer = Netty4Buffers.make(kind, size).setBytes(0, text());
        return new Search() {
            @Override
            public int indexOf() {
                return buffer.indexOf(0, size, LAST);
            }

            @Override
            public int indexOfFinder() {
                return buffer.forEachByte(0, size, ByteProcessor.FIND_LF);
            }

            @Override
            public int bytesBefore() {
                return buffer.bytesBefore(LAST);
            }

            @Override
            public int bytesBeforeFinder() {
                return buffer.forEachByte(ByteProcessor.FIND_CRLF);
            }
        };
    }
}
