package org.freshet.handler.codec.serialization;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.util.Map;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferInputStream;

/** Reads one object that {@link CompactObjectOutputStream} wrote. Belongs to the thread that reads. */
final class CompactObjectInputStream extends ObjectInputStream {
    private static final Map<String, Class<?>> PRIMITIVES = Map.of(
            "boolean", boolean.class,
            "byte", byte.class,
            "char", char.class,
            "short", short.class,
            "int", int.class,
            "long", long.class,
            "float", float.class,
            "double", double.class,
            "void", void.class);

    private final ClassResolver resolver;
    private final SerialFilter filter;

    private CompactObjectInputStream(InputStream in, ClassResolver resolver, SerialFilter filter) throws IOException {
        super(in);
        this.resolver = resolver;
        this.filter = filter;
        setObjectInputFilter(filter);
    }

    /**
     * Reads an object.
     *
     * @param object its readable bytes; they are read
     * @throws InvalidClassException if the filter refuses a class, or one does not fit what was written
     * @throws ClassNotFoundException if the resolver does not know a class
     * @throws IOException if the bytes are no object: a {@link StreamCorruptedException} wherever it was some class's own
     *     code that noticed and threw something else
     */
    static Object read(ChannelBuffer object, SerialPolicy policy) throws IOException, ClassNotFoundException {
        SerialFilter filter = new SerialFilter(policy, object);
        try {
            // Not closed: that would only clear tables that are not used again.
            return new CompactObjectInputStream(new ChannelBufferInputStream(object), policy.resolver, filter)
                    .readObject();
        } catch (InvalidClassException e) {
            if (filter.refusal() != null) {
                throw filter.refusal();
            }
            if (e.getCause() instanceof ClassNotFoundException) { // which names the class; the JDK's exception does not
                throw (ClassNotFoundException) e.getCause();
            }
            throw e;
        } catch (RuntimeException | StackOverflowError | InternalError | AssertionError | LinkageError e) {
            // Classes react to fields that make no sense in many ways; the JDK's collections even by an InternalError.
            StreamCorruptedException corrupted = new StreamCorruptedException("object cannot be read: " + e);
            corrupted.initCause(e);
            throw corrupted;
        }
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

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        Class<?> known = description.forClass();
        if (known != null) {
            return known; // resolved for its description a moment ago, which costs more than all the rest
        }
        Class<?> primitive = PRIMITIVES.get(description.getName());
        return primitive != null ? primitive : resolver.resolve(description.getName());
    }

    /** Refuses interfaces before a class is made of them: each combination is one, which the JVM may keep for good. */
    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
        for (String name : interfaces) {
            filter.check(resolver.resolve(name));
        }
        return super.resolveProxyClass(interfaces);
    }
}
