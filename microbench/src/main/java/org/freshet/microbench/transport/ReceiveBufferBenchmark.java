package org.freshet.microbench.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.nio.channels.SocketChannel;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What is the cheapest way from a socket into a message: through a shared direct buffer and a copy of the exact size,
 * into a heap buffer of {@value #GUESS_BYTES} bytes, or into a direct one?
 *
 * <p>One thread writes to one end of a connection and reads from the other; the system calls of both are included in
 * the result. Freshet's workers use the first way.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class ReceiveBufferBenchmark {
    static final int GUESS_BYTES = 16 * 1024;

    @Param({"FRESHET", "NETTY3"})
    public Library library;

    @Param({"64", "16384"})
    public int size;

    private final ByteBuffer shared = ByteBuffer.allocateDirect(64 * 1024);
    private ByteBuffer bytes;
    private Peer peer;
    private SocketChannel socket;
    private Reading reading;

    /** The ways, with a library's buffers; each returns a new message. */
    private interface Reading {
        Object copied(ScatteringByteChannel socket, ByteBuffer shared) throws IOException;

        Object intoHeap(ScatteringByteChannel socket) throws IOException;

        Object intoDirect(ScatteringByteChannel socket) throws IOException;
    }

    @Setup
    public void connect() throws IOException {
        bytes = ByteBuffer.allocateDirect(size);
        peer = new Peer();
        socket = SocketChannel.open(peer.address());
        peer.accept();
        reading = library == Library.FRESHET ? freshet() : netty3();
    }

    @TearDown
    public void close() throws IOException {
        socket.close();
        peer.close();
    }

    @Benchmark
    public Object copied() throws IOException {
        peer.socket().write(bytes.clear());
        return reading.copied(socket, shared);
    }

    @Benchmark
    public Object intoHeap() throws IOException {
        peer.socket().write(bytes.clear());
        return reading.intoHeap(socket);
    }

    @Benchmark
    public Object intoDirect() throws IOException {
        peer.socket().write(bytes.clear());
        return reading.intoDirect(socket);
    }

    private Reading freshet() {
        var directFactory = new org.freshet.buffer.DirectChannelBufferFactory();
        return new Reading() {
            @Override
            public Object copied(ScatteringByteChannel socket, ByteBuffer shared) throws IOException {
                socket.read(shared.clear());
                shared.flip();
                var message = org.freshet.buffer.ChannelBuffers.buffer(shared.remaining());
                message.writeBytes(shared);
                return message;
            }

            @Override
            public Object intoHeap(ScatteringByteChannel socket) throws IOException {
                var message = org.freshet.buffer.ChannelBuffers.buffer(GUESS_BYTES);
                message.writeBytes(socket, size);
                return message;
            }

            @Override
            public Object intoDirect(ScatteringByteChannel socket) throws IOException {
                var message = directFactory.getBuffer(GUESS_BYTES);
                message.writeBytes(socket, size);
                return message;
            }
        };
    }

    private Reading netty3() {
        var directFactory = new org.jboss.netty.buffer.DirectChannelBufferFactory();
        return new Reading() {
            @Override
            public Object copied(ScatteringByteChannel socket, ByteBuffer shared) throws IOException {
                socket.read(shared.clear());
                shared.flip();
                var message = org.jboss.netty.buffer.ChannelBuffers.buffer(shared.remaining());
                message.writeBytes(shared);
                return message;
            }

            @Override
            public Object intoHeap(ScatteringByteChannel socket) throws IOException {
                var message = org.jboss.netty.buffer.ChannelBuffers.buffer(GUESS_BYTES);
                message.writeBytes(socket, size);
                return message;
            }

            @Override
            public Object intoDirect(ScatteringByteChannel socket) throws IOException {
                var message = directFactory.getBuffer(GUESS_BYTES);
                message.writeBytes(socket, size);
                return message;
            }
        };
    }
}
