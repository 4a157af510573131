package org.freshet.handler.codec.marshalling;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import org.jboss.marshalling.ByteInput;
import org.jboss.marshalling.Unmarshaller;

/** Reads one object, and turns every kind of failure on bad bytes into a few exceptions. Stateless. */
final class Unmarshalling {
    private Unmarshalling() {}

    /**
     * @param size maximum number of bytes of the object
     * @throws InvalidClassException if a class is refused
     * @throws IOException if the bytes are not an object
     */
    static Object read(Unmarshaller unmarshaller, ByteInput input, int size)
            throws IOException, ClassNotFoundException {
        ClassGuard.Reading reading = new ClassGuard.Reading(size);
        ClassGuard.READING.set(reading);
        try {
            return read(unmarshaller, input);
        } catch (InvalidClassException e) {
            throw reading.refusal() != null ? reading.refusal() : e;
        } catch (RuntimeException | VirtualMachineError | AssertionError | LinkageError e) {
            // The library allocates some arrays with a length chosen by the peer before it asks any filter. So even an
            // OutOfMemoryError usually means bad bytes rather than a full heap.
            StreamCorruptedException corrupted = new StreamCorruptedException("cannot read object: " + e);
            corrupted.initCause(e);
            throw corrupted;
        } finally {
            ClassGuard.READING.remove();
        }
    }

    private static Object read(Unmarshaller unmarshaller, ByteInput input) throws IOException, ClassNotFoundException {
        unmarshaller.start(input);
        try {
            return unmarshaller.readObject();
        } finally {
            unmarshaller.finish();
        }
    }
}
