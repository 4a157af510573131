package org.freshet.handler.codec.replay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.Charset;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * The reads of a {@link ReplayBuffer}. They read the received bytes directly and move that buffer's index. A read
 * beyond the received bytes throws {@link ReplaySignal} and records how many bytes another attempt needs to get
 * further.
 */
abstract class ReplayableReads extends UnwritableBuffer {
    /** The received bytes; empty while no decoder runs, so that nothing is kept alive. */
    ChannelBuffer buffer = ChannelBuffers.EMPTY_BUFFER;

    /** No more bytes will arrive. */
    boolean complete;

    /** Another attempt makes sense once bytes up to this index have arrived. */
    long wantedWriterIndex;

    final void need(int length) {
        needAt(buffer.readerIndex(), length);
    }

    final void needAt(int index, int length) {
        if (index + (long) length > buffer.writerIndex()) {
            throw replayWhen(index + (long) length);
        }
    }

    final ReplaySignal replayWhen(long writerIndex) {
        wantedWriterIndex = writerIndex;
        return ReplaySignal.INSTANCE;
    }

    /** Called by operations that depend on the end of the buffer, which is unknown until the end of input. */
    final void needEnd() {
        if (!complete) {
            throw unreplayable();
        }
    }

    // ---- reading at an index ----

    @Override
    public ByteBuffer[] toByteBuffers(int index, int length) {
        needAt(index, length);
        return buffer.toByteBuffers(index, length);
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        needAt(index, length);
        return buffer.toByteBuffer(index, length);
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        needAt(index, length);
        return buffer.copy(index, length);
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        needAt(index, length);
        return buffer.slice(index, length);
    }

    @Override
    public String toString(int index, int length, Charset charset) {
        needAt(index, length);
        return buffer.toString(index, length, charset);
    }

    @Override
    public byte getByte(int index) {
        needAt(index, 1);
        return buffer.getByte(index);
    }

    @Override
    public char getChar(int index) {
        needAt(index, 2);
        return buffer.getChar(index);
    }

    @Override
    public double getDouble(int index) {
        needAt(index, 8);
        return buffer.getDouble(index);
    }

    @Override
    public float getFloat(int index) {
        needAt(index, 4);
        return buffer.getFloat(index);
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        needAt(index, length);
        return buffer.getBytes(index, out, length);
    }

    @Override
    public int getInt(int index) {
        needAt(index, 4);
        return buffer.getInt(index);
    }

    @Override
    public int getMedium(int index) {
        needAt(index, 3);
        return buffer.getMedium(index);
    }

    @Override
    public int getUnsignedMedium(int index) {
        needAt(index, 3);
        return buffer.getUnsignedMedium(index);
    }

    @Override
    public int getUnsignedShort(int index) {
        needAt(index, 2);
        return buffer.getUnsignedShort(index);
    }

    @Override
    public long getLong(int index) {
        needAt(index, 8);
        return buffer.getLong(index);
    }

    @Override
    public long getUnsignedInt(int index) {
        needAt(index, 4);
        return buffer.getUnsignedInt(index);
    }

    @Override
    public short getShort(int index) {
        needAt(index, 2);
        return buffer.getShort(index);
    }

    @Override
    public short getUnsignedByte(int index) {
        needAt(index, 1);
        return buffer.getUnsignedByte(index);
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        needAt(index, dst.remaining());
        buffer.getBytes(index, dst);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        needAt(index, length);
        buffer.getBytes(index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int length) {
        needAt(index, length);
        buffer.getBytes(index, dst, length);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst) {
        needAt(index, dst.writableBytes());
        buffer.getBytes(index, dst);
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        needAt(index, length);
        buffer.getBytes(index, out, length);
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        needAt(index, length);
        buffer.getBytes(index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, byte[] dst) {
        needAt(index, dst.length);
        buffer.getBytes(index, dst);
    }

    // ---- reading at the reader index ----

    @Override
    public ByteBuffer[] toByteBuffers() {
        needEnd();
        return buffer.toByteBuffers();
    }

    @Override
    public ByteBuffer toByteBuffer() {
        needEnd();
        return buffer.toByteBuffer();
    }

    @Override
    public ChannelBuffer copy() {
        needEnd();
        return buffer.copy();
    }

    @Override
    public ChannelBuffer duplicate() {
        needEnd();
        return buffer.duplicate();
    }

    @Override
    public ChannelBuffer readBytes(int length) {
        need(length);
        return buffer.readBytes(length);
    }

    @Override
    public ChannelBuffer readSlice(int length) {
        need(length);
        return buffer.readSlice(length);
    }

    @Override
    public ChannelBuffer slice() {
        needEnd();
        return buffer.slice();
    }

    @Override
    public String toString(Charset charset) {
        needEnd();
        return buffer.toString(charset);
    }

    @Override
    public byte readByte() {
        need(1);
        return buffer.readByte();
    }

    @Override
    public char readChar() {
        need(2);
        return buffer.readChar();
    }

    @Override
    public double readDouble() {
        need(8);
        return buffer.readDouble();
    }

    @Override
    public float readFloat() {
        need(4);
        return buffer.readFloat();
    }

    @Override
    public int readBytes(GatheringByteChannel out, int length) throws IOException {
        need(length);
        return buffer.readBytes(out, length);
    }

    @Override
    public int readInt() {
        need(4);
        return buffer.readInt();
    }

    @Override
    public int readMedium() {
        need(3);
        return buffer.readMedium();
    }

    @Override
    public int readUnsignedMedium() {
        need(3);
        return buffer.readUnsignedMedium();
    }

    @Override
    public int readUnsignedShort() {
        need(2);
        return buffer.readUnsignedShort();
    }

    @Override
    public long readLong() {
        need(8);
        return buffer.readLong();
    }

    @Override
    public long readUnsignedInt() {
        need(4);
        return buffer.readUnsignedInt();
    }

    @Override
    public short readShort() {
        need(2);
        return buffer.readShort();
    }

    @Override
    public short readUnsignedByte() {
        need(1);
        return buffer.readUnsignedByte();
    }

    @Override
    public void readBytes(ByteBuffer dst) {
        need(dst.remaining());
        buffer.readBytes(dst);
    }

    @Override
    public void readBytes(ChannelBuffer dst, int dstIndex, int length) {
        need(length);
        buffer.readBytes(dst, dstIndex, length);
    }

    @Override
    public void readBytes(ChannelBuffer dst, int length) {
        need(length);
        buffer.readBytes(dst, length);
    }

    @Override
    public void readBytes(ChannelBuffer dst) {
        need(dst.writableBytes());
        buffer.readBytes(dst);
    }

    @Override
    public void readBytes(OutputStream out, int length) throws IOException {
        need(length);
        buffer.readBytes(out, length);
    }

    @Override
    public void readBytes(byte[] dst, int dstIndex, int length) {
        need(length);
        buffer.readBytes(dst, dstIndex, length);
    }

    @Override
    public void readBytes(byte[] dst) {
        need(dst.length);
        buffer.readBytes(dst);
    }

    @Override
    public void skipBytes(int length) {
        need(length);
        buffer.skipBytes(length);
    }
}
