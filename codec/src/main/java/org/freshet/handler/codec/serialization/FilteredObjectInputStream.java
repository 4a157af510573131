package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.util.Map;

/**
 * Finds classes with a resolver, and lets a filter refuse them before any of their code runs. Belongs to the thread
 * that reads.
 */
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

    /** Returns the filter of the object being read. */
    abstract SerialFilter filter();

    /**
     * Reads an object.
     *
     * @throws InvalidClassException if the filter refuses a class, or a class does not fit the data
     * @throws ClassNotFoundException if the resolver does not know a class
     * @throws IOException if the bytes are not an object. It is a {@link StreamCorruptedException} if the code of a
     *     class noticed that and threw something else.
     */
    final Object readFiltered() throws IOException, ClassNotFoundException {
        try {
            return readObject();
        } catch (InvalidClassException e) {
            if (filter().refusal() != null) {
                throw filter().refusal();
            }
            if (e.getCause() instanceof ClassNotFoundException) { // it names the class; the JDK's exception does not
                throw (ClassNotFoundException) e.getCause();
            }
            throw e;
        } catch (RuntimeException | StackOverflowError | InternalError | AssertionError | LinkageError e) {
            // Classes react to impossible field values in many ways; the JDK's collections even with an InternalError.
            StreamCorruptedException corrupted = new StreamCorruptedException("cannot read object: " + e);
            corrupted.initCause(e);
            throw corrupted;
        }
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        Class<?> known = description.forClass();
        if (known != null) {
            return known; // just resolved for its description; resolving costs more than all the rest
        }
        Class<?> primitive = PRIMITIVES.get(description.getName());
        return primitive != null ? primitive : resolver.resolve(description.getName());
    }

    /**
     * Refuses interfaces before the proxy class is created. Each combination is a class that the JVM may keep forever.
     */
    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
        for (String name : interfaces) {
            filter().check(resolver.resolve(name));
        }
        return super.resolveProxyClass(interfaces);
    }
}
