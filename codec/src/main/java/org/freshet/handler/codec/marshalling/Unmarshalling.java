package org.freshet.handler.codec.marshalling;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import org.jboss.marshalling.ByteInput;
import org.jboss.marshalling.Unmarshaller;

/** Reads one object, in such a way that bad bytes always end in the same few exceptions. Stateless. */
final class Unmarshalling {
    private Unmarshalling() {}

    /**
     * @param size bytes that the object may take
     * @throws InvalidClassException if a class is refused
     * @throws IOException if the bytes are no object
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
            // The library makes some arrays as long as the peer says before any filter is asked, so even an
            // OutOfMemoryError mostly tells of bad bytes rather than of a full heap.
            StreamCorruptedException corrupted = new StreamCorruptedException("object cannot be read: " + e);
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
