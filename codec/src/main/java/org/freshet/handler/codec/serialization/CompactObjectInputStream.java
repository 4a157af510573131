package org.freshet.handler.codec.serialization;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferInputStream;

/** Reads one object written by {@link CompactObjectOutputStream}. Belongs to the thread that reads. */
final class CompactObjectInputStream extends FilteredObjectInputStream {
    private final SerialFilter filter;

    private CompactObjectInputStream(InputStream in, ClassResolver resolver, SerialFilter filter) throws IOException {
        super(in, resolver);
        this.filter = filter;
        setObjectInputFilter(filter);
    }

    /**
     * Reads an object.
     *
     * @param object its readable bytes are the object, and are consumed
     */
    static Object read(ChannelBuffer object, SerialPolicy policy) throws IOException, ClassNotFoundException {
        SerialFilter filter = new SerialFilter(policy, object);
        // Not closed: that would only clear tables that are not used again.
        return new CompactObjectInputStream(new ChannelBufferInputStream(object), policy.resolver, filter)
                .readFiltered();
    }

    @Override
    SerialFilter filter() {
        return filter;
    }

    @Override
    protected void readStreamHeader() throws IOException {
        int version = readByte() & 0xFF;
        if (version != STREAM_VERSION) {
            throw new StreamCorruptedException("stream version is not " + STREAM_VERSION + ": " + version);
        }
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
        int kind = read();
        switch (kind) {
            case -1:
                throw new EOFException();
            case CompactObjectOutputStream.FAT:
                return super.readClassDescriptor();
            case CompactObjectOutputStream.THIN:
                return describe(resolver.resolve(readUTF()));
            default:
                throw new StreamCorruptedException("kind of class description is not 0 or 1: " + kind);
        }
    }

    private ObjectStreamClass describe(Class<?> type) throws IOException {
        ClassFacts facts = ClassFacts.of(type);
        if (!facts.described) {
            filter.check(type);
        }
        ObjectStreamClass description = ObjectStreamClass.lookupAny(type); // the JDK has the filter check it next
        facts.described = true;
        return description;
    }
}
