package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * What does it cost to copy many bytes out of and into a buffer of each kind?
 *
 * <p>The other side is an array, a direct {@link ByteBuffer} as used by sockets, or a heap buffer of the same library.
 * {@code readBytes} returns new memory of the buffer's own kind.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class BulkCopyBenchmark {
    @Param
    public Library library;

    @Param({"HEAP", "DIRECT", "COMPOSITE"})
    public BufferKind kind;

    @Param({"64", "4096"})
    public int size;

    private Copies copies;
    private byte[] array;
    private ByteBuffer byteBuffer;

    /** A buffer under test; each call copies all of it. */
    private interface Copies {
        void toArray(byte[] target);

        void fromArray(byte[] source);

        void toByteBuffer(ByteBuffer target);

        void fromByteBuffer(ByteBuffer source);

        /** Copies to a heap buffer. */
        Object toBuffer();

        /** Copies from a heap buffer. */
        Object fromBuffer();

        /** Copies to a new buffer, which is dropped. */
        Object readBytes();
    }

    @Setup
    public void makeBuffer() {
        array = new byte[size];
        byteBuffer = ByteBuffer.allocateDirect(size);
        copies = switch (library) {
            case FRESHET -> freshet();
            case NETTY3 -> netty3();
            case NETTY4 -> netty4();
        };
        byte[] marked = new byte[size];
        marked[size - 1] = 1;
        copies.fromArray(marked);
        copies.toArray(array);
        if (array[size - 1] != 1) {
            throw new IllegalStateException(library + ": differs from the bytes set");
        }
    }

    @Benchmark
    public Object toArray() {
        copies.toArray(array);
        return array;
    }

    @Benchmark
    public Object fromArray() {
        copies.fromArray(array);
        return copies;
    }

    @Benchmark
    public Object toByteBuffer() {
        copies.toByteBuffer(byteBuffer.clear());
        return byteBuffer;
    }

    @Benchmark
    public Object fromByteBuffer() {
        copies.fromByteBuffer(byteBuffer.clear());
        return copies;
    }

    @Benchmark
    public Object toBuffer() {
        return copies.toBuffer();
    }

    @Benchmark
    public Object fromBuffer() {
        return copies.fromBuffer();
    }

    @Benchmark
    public Object readBytes() {
        return copies.readBytes();
    }

    private Copies freshet() {
        var buffer = FreshetBuffers.make(kind, ByteOrder.BIG_ENDIAN, size);
        var other = FreshetBuffers.make(BufferKind.HEAP, ByteOrder.BIG_ENDIAN, size);
        return new Copies() {
            @Override
            public void toArray(byte[] target) {
                buffer.getBytes(0, target);
            }

            @Override
            public void fromArray(byte[] source) {
                buffer.setBytes(0, source);
            }

            @Override
            public void toByteBuffer(ByteBuffer target) {
                buffer.getBytes(0, target);
            }

            @Override
            public void fromByteBuffer(ByteBuffer source) {
                buffer.setBytes(0, source);
            }

            @Override
            public Object toBuffer() {
                buffer.getBytes(0, other, 0, size);
                return other;
            }

            @Override
            public Object fromBuffer() {
                buffer.setBytes(0, other, 0, size);
                return buffer;
            }

            @Override
            public Object readBytes() {
                buffer.readerIndex(0);
                return buffer.readBytes(size);
            }
        };
    }

    private Copies netty3() {
        var buffer = Netty3Buffers.make(kind, ByteOrder.BIG_ENDIAN, size);
        var other = Netty3Buffers.make(BufferKind.HEAP, ByteOrder.BIG_ENDIAN, size);
        return new Copies() {
            @Override
            public void toArray(byte[] target) {
                buffer.getBytes(0, target);
            }

            @Override
            public void fromArray(byte[] source) {
                buffer.setBytes(0, source);
            }

            @Override
            public void toByteBuffer(ByteBuffer target) {
                buffer.getBytes(0, target);
            }

            @Override
            public void fromByteBuffer(ByteBuffer source) {
                buffer.setBytes(0, source);
            }

            @Override
            public Object toBuffer() {
                buffer.getBytes(0, other, 0, size);
                return other;
            }

            @Override
            public Object fromBuffer() {
                buffer.setBytes(0, other, 0, size);
                return buffer;
            }

            @Override
            public Object readBytes() {
                buffer.readerIndex(0);
                return buffer.readBytes(size);
            }
        };
    }

    private Copies netty4() {
        ByteBuf buffer = Netty4Buffers.make(kind, size);
        ByteBuf other = Netty4Buffers.make(BufferKind.HEAP, size);
        return new Copies() {
            @Override
            public void toArray(byte[] target) {
                buffer.getBytes(0, target);
            }

            @Override
            public void fromArray(byte[] source) {
                buffer.setBytes(0, source);
            }

            @Override
            public void toByteBuffer(ByteBuffer target) {
                buffer.getBytes(0, target);
            }

            @Override
            public void fromByteBuffer(ByteBuffer source) {
                buffer.setBytes(0, source);
            }

            @Override
            public Object toBuffer() {
                buffer.getBytes(0, other, 0, size);
                return other;
            }

            @Override
            public Object fromBuffer() {
                buffer.setBytes(0, other, 0, size);
                return buffer;
            }

            @Override
            public Object readBytes() {
                ByteBuf read = buffer.readerIndex(0).readBytes(size);
                read.release();
                return read;
            }
        };
    }
}
