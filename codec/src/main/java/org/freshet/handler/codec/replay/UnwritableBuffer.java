package org.freshet.handler.codec.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import org.freshet.buffer.ChannelBuffer;

/** A buffer for reading only: refuses everything that writes or moves the end. Holds no data. */
abstract class UnwritableBuffer implements ChannelBuffer {
    static UnreplayableOperationException unreplayable() {
        return new UnreplayableOperationException("operation is not supported on a buffer whose end is unknown");
    }

    @Override
    public int writableBytes() {
        return 0;
    }

    @Override
    public boolean writable() {
        return false;
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        throw unreplayable();
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        throw unreplayable();
    }

    @Override
    public int writeBytes(InputStream in, int length) throws IOException {
        throw unreplayable();
    }

    @Override
    public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
        throw unreplayable();
    }

    @Override
    public void clear() {
        throw unreplayable();
    }

    @Override
    public void discardReadBytes() {
        throw unreplayable();
    }

    @Override
    public void ensureWritableBytes(int writableBytes) {
        throw unreplayable();
    }

    @Override
    public void markWriterIndex() {
        throw unreplayable();
    }

    @Override
    public void resetWriterIndex() {
        throw unreplayable();
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        throw unreplayable();
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int length) {
        throw unreplayable();
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        throw unreplayable();
    }

    @Override
    public void setBytes(int index, ChannelBuffer src) {
        throw unreplayable();
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        throw unreplayable();
    }

    @Override
    public void setBytes(int index, byte[] src) {
        throw unreplayable();
    }

    @Override
    public void setByte(int index, int value) {
        throw unreplayable();
    }

    @Override
    public void setChar(int index, int value) {
        throw unreplayable();
    }

    @Override
    public void setDouble(int index, double value) {
        throw unreplayable();
    }

    @Override
    public void setFloat(int index, float value) {
        throw unreplayable();
    }

    @Override
    public void setIndex(int readerIndex, int writerIndex) {
        throw unreplayable();
    }

    @Override
    public void setInt(int index, int value) {
        throw unreplayable();
    }

    @Override
    public void setLong(int index, long value) {
        throw unreplayable();
    }

    @Override
    public void setMedium(int index, int value) {
        throw unreplayable();
    }

    @Override
    public void setShort(int index, int value) {
        throw unreplayable();
    }

    @Override
    public void setZero(int index, int length) {
        throw unreplayable();
    }

    @Override
    public void writeBytes(ByteBuffer src) {
        throw unreplayable();
    }

    @Override
    public void writeBytes(ChannelBuffer src, int length) {
        throw unreplayable();
    }

    @Override
    public void writeBytes(ChannelBuffer src, int srcIndex, int length) {
        throw unreplayable();
    }

    @Override
    public void writeBytes(ChannelBuffer src) {
        throw unreplayable();
    }

    @Override
    public void writeBytes(byte[] src, int srcIndex, int length) {
        throw unreplayable();
    }

    @Override
    public void writeBytes(byte[] src) {
        throw unreplayable();
    }

    @Override
    public void writeByte(int value) {
        throw unreplayable();
    }

    @Override
    public void writeChar(int value) {
        throw unreplayable();
    }

    @Override
    public void writeDouble(double value) {
        throw unreplayable();
    }

    @Override
    public void writeFloat(float value) {
        throw unreplayable();
    }

    @Override
    public void writeInt(int value) {
        throw unreplayable();
    }

    @Override
    public void writeLong(long value) {
        throw unreplayable();
    }

    @Override
    public void writeMedium(int value) {
        throw unreplayable();
    }

    @Override
    public void writeShort(int value) {
        throw unreplayable();
    }

    @Override
    public void writeZero(int length) {
        throw unreplayable();
    }

    @Override
    public void writerIndex(int writerIndex) {
        throw unreplayable();
    }
}
