package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.util.Map;

/** Finds classes by a resolver, and has a filter refuse them before anything of theirs runs. Belongs to the thread that reads. */
abstract class FilteredObjectInputStream extends ObjectInputStream {
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

    final ClassResolver resolver;

    FilteredObjectInputStream(InputStream in, ClassResolver resolver) throws IOException {
        super(in);
        this.resolver = resolver;
    }

    /** The filter of the object that is being read. */
    abstract SerialFilter filter();

    /**
     * Reads an object.
     *
     * @throws InvalidClassException if the filter refuses a class, or one does not fit what was written
     * @throws ClassNotFoundException if the resolver does not know a class
     * @throws IOException if the bytes are no object: a {@link StreamCorruptedException} wherever it was some class's own
     *     code that noticed and threw something else
     */
    final Object readFiltered() throws IOException, ClassNotFoundException {
        try {
            return readObject();
        } catch (InvalidClassException e) {
            if (filter().refusal() != null) {
                throw filter().refusal();
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
            filter().check(resolver.resolve(name));
        }
        return super.resolveProxyClass(interfaces);
    }
}
