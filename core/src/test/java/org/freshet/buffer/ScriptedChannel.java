package org.freshet.buffer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;

/** A channel that takes or gives a fixed number of bytes per call until its bytes are used up. */
final class ScriptedChannel implements GatheringByteChannel, ScatteringByteChannel {
    private final int bytesPerCall;
    private final ByteBuffer input;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private boolean endOfInput;
    private boolean closed;
    int calls;
    /** The largest number of ByteBuffers in one call. */
    int largestBatch;

    private ScriptedChannel(int bytesPerCall, byte[] input) {
        this.bytesPerCall = bytesPerCall;
        this.input = ByteBuffer.wrap(input);
    }

    /** Takes at most {@code bytesPerCall} bytes per call. */
    static ScriptedChannel taking(int bytesPerCall) {
        return new ScriptedChannel(bytesPerCall, new byte[0]);
    }

    /** Gives {@code input}, at most {@code bytesPerCall} bytes per call, then reports nothing for now. */
    static ScriptedChannel giving(int bytesPerCall, byte[] input) {
        return new ScriptedChannel(bytesPerCall, input);
    }

    /** Reports the end after its input instead of nothing for now. */
    ScriptedChannel thenEnd() {
        endOfInput = true;
        return this;
    }

    byte[] taken() {
        return output.toByteArray();
    }

    @Override
    public int write(ByteBuffer src) throws ClosedChannelException {
        return (int) write(new ByteBuffer[] {src});
    }

    @Override
    public long write(ByteBuffer[] srcs) throws ClosedChannelException {
        return write(srcs, 0, srcs.length);
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws ClosedChannelException {
        checkOpen();
        calls++;
        largestBatch = Math.max(largestBatch, length);
        int taken = 0;
        for (int i = offset; i < offset + length; i++) {
            while (taken < bytesPerCall && srcs[i].hasRemaining()) {
                output.write(srcs[i].get());
                taken++;
            }
        }
        return taken;
    }

    @Override
    public int read(ByteBuffer dst) throws ClosedChannelException {
        return (int) read(new ByteBuffer[] {dst});
    }

    @Override
    public long read(ByteBuffer[] dsts) throws ClosedChannelException {
        return read(dsts, 0, dsts.length);
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws ClosedChannelException {
        checkOpen();
        calls++;
        if (!input.hasRemaining()) {
            return endOfInput ? -1 : 0;
        }
        int given = 0;
        for (int i = offset; i < offset + length; i++) {
            while (given < bytesPerCall && dsts[i].hasRemaining() && input.hasRemaining()) {
                dsts[i].put(input.get());
                given++;
            }
        }
        return given;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }
}
