package org.freshet.testkit.matrix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.freshet.buffer.ChannelBuffer;

/** An in-memory file with a message as its content, to be sent as a region and then closed. One thread at a time. */
final class CountedFile extends FileChannel implements Stage.Releasable {
    private final ChannelBuffer content;
    private int closes;

    CountedFile(ChannelBuffer content) {
        this.content = content;
    }

    @Override
    public long size() {
        return content.readableBytes();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return target.write(content.toByteBuffer(content.readerIndex() + (int) position, (int) count));
    }

    @Override
    protected void implCloseChannel() {
        closes++;
    }

    @Override
    public int releases() {
        return closes;
    }

    @Override
    public String toString() {
        return "a file";
    }

    // ---- not needed for sending -------------------------------------------------------------------------------------

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("regions are only sent");
    }

    @Override
    public int read(ByteBuffer target) {
        throw unsupported();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw unsupported();
    }

    @Override
    public int read(ByteBuffer target, long position) {
        throw unsupported();
    }

    @Override
    public int write(ByteBuffer source) {
        throw unsupported();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw unsupported();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw unsupported();
    }

    @Override
    public long position() {
        throw unsupported();
    }

    @Override
    public FileChannel position(long newPosition) {
        throw unsupported();
    }

    @Override
    public FileChannel truncate(long size) {
        throw unsupported();
    }

    @Override
    public void force(boolean metaData) {
        throw unsupported();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw unsupported();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unsupported();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw unsupported();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw unsupported();
    }
}
