package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;

/**
 * Serializes with a header of one byte instead of four, and describes most classes by name only: a byte {@link #THIN}
 * and the name. If the receiver cannot get the description from the name, the full description follows a byte
 * {@link #FAT}.
 */
final class CompactObjectOutputStream extends ObjectOutputStream {
    static final int FAT = 0;
    static final int THIN = 1;

    CompactObjectOutputStream(OutputStream out) throws IOException {
        super(out);
    }

    @Override
    protected void writeStreamHeader() throws IOException {
        writeByte(STREAM_VERSION);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
        Class<?> type = description.forClass();
        boolean fat =
                type.isPrimitive() || type.isArray() || type.isInterface() || description.getSerialVersionUID() == 0;
        write(fat ? FAT : THIN);
        if (fat) {
            super.writeClassDescriptor(description);
        } else {
            writeUTF(description.getName());
        }
    }
}
