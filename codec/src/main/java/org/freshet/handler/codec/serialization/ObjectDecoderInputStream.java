package org.freshet.handler.codec.serialization;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.StreamCorruptedException;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffers;

/**
 * Reads the output of {@link ObjectEncoder} or {@link ObjectEncoderOutputStream} from a plain stream. Accepted classes
 * and limits are those of {@link ObjectDecoder}. Primitive values are read as in {@link DataInputStream}. Not
 * thread-safe.
 */
public class ObjectDecoderInputStream extends InputStream implements ObjectInput {
    private final DataInputStream in;
    private final int maxObjectSize;
    private final SerialPolicy policy;

    /** Accepts objects of up to 1 MiB. Loads classes with the default class loader. */
    public ObjectDecoderInputStream(InputStream in) {
        this(in, null);
    }

    /** Accepts objects of up to 1 MiB. */
    public ObjectDecoderInputStream(InputStream in, ClassLoader classLoader) {
        this(in, classLoader, ObjectDecoder.DEFAULT_MAX_OBJECT_SIZE);
    }

    /** Loads classes with the default class loader. */
    public ObjectDecoderInputStream(InputStream in, int maxObjectSize) {
        this(in, null, maxObjectSize);
    }

    /**
     * @param classLoader null for the default, see {@link ClassResolvers}
     * @param maxObjectSize bytes of an object without its length field, 1 or more
     */
    public ObjectDecoderInputStream(InputStream in, ClassLoader classLoader, int maxObjectSize) {
        this(in, maxObjectSize, SerialPolicy.ofProperties(ClassResolvers.weakCachingResolver(classLoader)));
    }

    /**
     * @param maxObjectSize bytes of an object without its length field, 1 or more
     * @param filter decides about classes, see {@link ObjectDecoder}
     */
    public ObjectDecoderInputStream(
            InputStream in, ClassResolver classResolver, int maxObjectSize, ObjectInputFilter filter) {
        this(in, maxObjectSize, SerialPolicy.of(classResolver, filter));
    }

    private ObjectDecoderInputStream(InputStream in, int maxObjectSize, SerialPolicy policy) {
        Objects.requireNonNull(in, "in");
        if (maxObjectSize <= 0) {
            throw new IllegalArgumentException("maxObjectSize <= 0: " + maxObjectSize);
        }
        this.in = in instanceof DataInputStream data ? data : new DataInputStream(in);
        this.maxObjectSize = maxObjectSize;
        this.policy = policy;
    }

    /**
     * Reads an object. If it is refused or corrupt, the stream is positioned at the next object.
     *
     * @throws StreamCorruptedException if the bytes are not an object, or if the length is not 1 to
     *     {@code maxObjectSize}; in the latter case the stream can no longer be used
     * @throws EOFException if the stream ends
     * @throws java.io.InvalidClassException if a class is refused
     */
    @Override
    public Object readObject() throws ClassNotFoundException, IOException {
        int length = readInt();
        if (length <= 0) {
            throw new StreamCorruptedException("object length <= 0: " + length);
        }
        if (length > maxObjectSize) {
            throw new StreamCorruptedException("object length > " + maxObjectSize + ": " + length);
        }
        byte[] object = in.readNBytes(length);
        if (object.length < length) {
            throw new EOFException("stream ends after " + object.length + " of an object's " + length + " bytes");
        }
        return CompactObjectInputStream.read(ChannelBuffers.wrappedBuffer(object), policy);
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    @Override
    public void mark(int readlimit) {
        in.mark(readlimit);
    }

    @Override
    public boolean markSupported() {
        return in.markSupported();
    }

    @Override
    public void reset() throws IOException {
        in.reset();
    }

    @Override
    public int read() throws IOException {
        return in.read();
    }

    @Override
    public final int read(byte[] b, int off, int len) throws IOException {
        return in.read(b, off, len);
    }

    @Override
    public final int read(byte[] b) throws IOException {
        return in.read(b);
    }

    @Override
    public long skip(long n) throws IOException {
        return in.skip(n);
    }

    @Override
    public final int skipBytes(int n) throws IOException {
        return in.skipBytes(n);
    }

    @Override
    public final void readFully(byte[] b) throws IOException {
        in.readFully(b);
    }

    @Override
    public final void readFully(byte[] b, int off, int len) throws IOException {
        in.readFully(b, off, len);
    }

    /** Reads a line like {@link DataInputStream#readLine()}: one character per byte, whatever the charset. */
    @Override
    @SuppressWarnings("deprecation") // required by the interface
    public final String readLine() throws IOException {
        return in.readLine();
    }

    @Override
    public final boolean readBoolean() throws IOException {
        return in.readBoolean();
    }

    @Override
    public final byte readByte() throws IOException {
        return in.readByte();
    }

    @Override
    public final int readUnsignedByte() throws IOException {
        return in.readUnsignedByte();
    }

    @Override
    public final short readShort() throws IOException {
        return in.readShort();
    }

    @Override
    public final int readUnsignedShort() throws IOException {
        return in.readUnsignedShort();
    }

    @Override
    public final char readChar() throws IOException {
        return in.readChar();
    }

    @Override
    public final int readInt() throws IOException {
        return in.readInt();
    }

    @Override
    public final long readLong() throws IOException {
        return in.readLong();
    }

    @Override
    public final float readFloat() throws IOException {
        return in.readFloat();
    }

    @Override
    public final double readDouble() throws IOException {
        return in.readDouble();
    }

    @Override
    public final String readUTF() throws IOException {
        return in.readUTF();
    }
}
