package org.freshet.handler.codec.serialization;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutput;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Writes objects to a plain stream in the format of {@link ObjectEncoder}. Primitive values are written as in
 * {@link DataOutputStream}. Not thread-safe.
 */
public class ObjectEncoderOutputStream extends OutputStream implements ObjectOutput {
    private final DataOutputStream out;
    private final int estimatedLength;

    /** Estimates 512 bytes per object. */
    public ObjectEncoderOutputStream(OutputStream out) {
        this(out, ObjectEncoder.DEFAULT_ESTIMATED_LENGTH);
    }

    /** @param estimatedLength typical size of an object in bytes, 0 or more; larger objects cost some copying */
    public ObjectEncoderOutputStream(OutputStream out, int estimatedLength) {
        Objects.requireNonNull(out, "out");
        ObjectEncoder.checkEstimatedLength(estimatedLength);
        this.out = out instanceof DataOutputStream data ? data : new DataOutputStream(out);
        this.estimatedLength = estimatedLength;
    }

    @Override
    public void writeObject(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(estimatedLength);
        try (CompactObjectOutputStream objects = new CompactObjectOutputStream(bytes)) {
            objects.writeObject(object);
        }
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    /** Returns the number of bytes written, counted like {@link DataOutputStream#size()}. */
    public final int size() {
        return out.size();
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
    }

    @Override
    public void write(byte[] b) throws IOException {
        out.write(b);
    }

    @Override
    public void write(byte[] b, int off, int len) throws IOException {
        out.write(b, off, len);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    @Override
    public final void writeBoolean(boolean v) throws IOException {
        out.writeBoolean(v);
    }

    @Override
    public final void writeByte(int v) throws IOException {
        out.writeByte(v);
    }

    @Override
    public final void writeBytes(String v) throws IOException {
        out.writeBytes(v);
    }

    @Override
    public final void writeChar(int v) throws IOException {
        out.writeChar(v);
    }

    @Override
    public final void writeChars(String v) throws IOException {
        out.writeChars(v);
    }

    @Override
    public final void writeDouble(double v) throws IOException {
        out.writeDouble(v);
    }

    @Override
    public final void writeFloat(float v) throws IOException {
        out.writeFloat(v);
    }

    @Override
    public final void writeInt(int v) throws IOException {
        out.writeInt(v);
    }

    @Override
    public final void writeLong(long v) throws IOException {
        out.writeLong(v);
    }

    @Override
    public final void writeShort(int v) throws IOException {
        out.writeShort(v);
    }

    @Override
    public final void writeUTF(String v) throws IOException {
        out.writeUTF(v);
    }
}
