package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;

public interface ChannelBuffer extends Comparable<ChannelBuffer> {
    ChannelBufferFactory factory();

    int capacity();

    ByteOrder order();

    boolean isDirect();

    int readerIndex();

    void readerIndex(int value);

    int writerIndex();

    void writerIndex(int value);

    void setIndex(int value, int value2);

    int readableBytes();

    int writableBytes();

    boolean readable();

    boolean writable();

    void clear();

    void markReaderIndex();

    void resetReaderIndex();

    void markWriterIndex();

    void resetWriterIndex();

    void discardReadBytes();

    void ensureWritableBytes(int value);

    byte getByte(int value);

    short getUnsignedByte(int value);

    short getShort(int value);

    int getUnsignedShort(int value);

    int getMedium(int value);

    int getUnsignedMedium(int value);

    int getInt(int value);

    long getUnsignedInt(int value);

    long getLong(int value);

    char getChar(int value);

    float getFloat(int value);

    double getDouble(int value);

    void getBytes(int value, ChannelBuffer buffer);

    void getBytes(int value, ChannelBuffer buffer, int value2);

    void getBytes(int value, ChannelBuffer buffer, int value2, int value3);

    void getBytes(int value, byte[] value2);

    void getBytes(int value, byte[] value2, int value3, int value4);

    void getBytes(int value, ByteBuffer byteBuffer);

    void getBytes(int value, OutputStream outputStream, int value2) throws IOException;

    int getBytes(int value, GatheringByteChannel gatheringByteChannel, int value2) throws IOException;

    void setByte(int value, int value2);

    void setShort(int value, int value2);

    void setMedium(int value, int value2);

    void setInt(int value, int value2);

    void setLong(int value, long value2);

    void setChar(int value, int value2);

    void setFloat(int value, float value2);

    void setDouble(int value, double value2);

    void setBytes(int value, ChannelBuffer buffer);

    void setBytes(int value, ChannelBuffer buffer, int value2);

    void setBytes(int value, ChannelBuffer buffer, int value2, int value3);

    void setBytes(int value, byte[] value2);

    void setBytes(int value, byte[] value2, int value3, int value4);

    void setBytes(int value, ByteBuffer byteBuffer);

    int setBytes(int value, InputStream inputStream, int value2) throws IOException;

    int setBytes(int value, ScatteringByteChannel scatteringByteChannel, int value2) throws IOException;

    void setZero(int value, int value2);

    byte readByte();

    short readUnsignedByte();

    short readShort();

    int readUnsignedShort();

    int readMedium();

    int readUnsignedMedium();

    int readInt();

    long readUnsignedInt();

    long readLong();

    char readChar();

    float readFloat();

    double readDouble();

    ChannelBuffer readBytes(int value);

    ChannelBuffer readSlice(int value);

    void readBytes(ChannelBuffer buffer);

    void readBytes(ChannelBuffer buffer, int value);

    void readBytes(ChannelBuffer buffer, int value, int value2);

    void readBytes(byte[] value);

    void readBytes(byte[] value, int value2, int value3);

    void readBytes(ByteBuffer byteBuffer);

    void readBytes(OutputStream outputStream, int value) throws IOException;

    int readBytes(GatheringByteChannel gatheringByteChannel, int value) throws IOException;

    void skipBytes(int value);

    void writeByte(int value);

    void writeShort(int value);

    void writeMedium(int value);

    void writeInt(int value);

    void writeLong(long value);

    void writeChar(int value);

    void writeFloat(float value);

    void writeDouble(double value);

    void writeBytes(ChannelBuffer buffer);

    void writeBytes(ChannelBuffer buffer, int value);

    void writeBytes(ChannelBuffer buffer, int value, int value2);

    void writeBytes(byte[] value);

    void writeBytes(byte[] value, int value2, int value3);

    void writeBytes(ByteBuffer byteBuffer);

    int writeBytes(InputStream inputStream, int value) throws IOException;

    int writeBytes(ScatteringByteChannel scatteringByteChannel, int value) throws IOException;

    void writeZero(int value);

    int indexOf(int value, int value2, byte value3);

    int indexOf(int value, int value2, ChannelBufferIndexFinder indexFinder);

    int bytesBefore(byte value);

    int bytesBefore(ChannelBufferIndexFinder indexFinder);

    int bytesBefore(int value, byte value2);

    int bytesBefore(int value, ChannelBufferIndexFinder indexFinder);

    int bytesBefore(int value, int value2, byte value3);

    int bytesBefore(int value, int value2, ChannelBufferIndexFinder indexFinder);

    ChannelBuffer copy();

    ChannelBuffer copy(int value, int value2);

    ChannelBuffer slice();

    ChannelBuffer slice(int value, int value2);

    ChannelBuffer duplicate();

    ByteBuffer toByteBuffer();

    ByteBuffer toByteBuffer(int value, int value2);

    ByteBuffer[] toByteBuffers();

    ByteBuffer[] toByteBuffers(int value, int value2);

    boolean hasArray();

    byte[] array();

    int arrayOffset();

    String toString(Charset charset);

    String toString(int value, int value2, Charset charset);

    int hashCode();

    boolean equals(Object value);

    int compareTo(ChannelBuffer buffer);

    String toString();
}
