package org.freshet.handler.codec.marshalling;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import org.jboss.marshalling.ByteInput;
import org.jboss.marshalling.Unmarshaller;

/** Reads one object, in such a way that bad bytes always end in the same few exceptions. */
final class Unmarshalling {
    private Unmarshalling() {}

    /**
     * @param size bytes that the object may take
     * @throws InvalidClassException if a class is refused
     * @throws IOException if the bytes are no object
     */
    static Object read(Unmarshaller unmarshaller, ByteInput input, int size)
            throws IOException, ClassNotFoundException {
        StandardFilter.Reading reading = new StandardFilter.Reading(size);
        StandardFilter.READING.set(reading);
        try {
            return read(unmarshaller, input);
        } catch (InvalidClassException e) {
            throw reading.refused() != null ? refusal(reading.refused()) : e;
        } catch (RuntimeException | VirtualMachineError | AssertionError | LinkageError e) {
            // The library makes some arrays as long as the peer says before any filter is asked, so even an
            // OutOfMemoryError mostly tells of bad bytes rather than of a full heap.
            StreamCorruptedException corrupted = new StreamCorruptedException("object cannot be read: " + e);
            corrupted.initCause(e);
            throw corrupted;
        } finally {
            StandardFilter.READING.remove();
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

    private static InvalidClassException refusal(Class<?> type) {
        return new InvalidClassException(
                type.getName(),
                "refused by default, or too deep or too long; to accept it, give the MarshallingConfiguration an"
                        + " unmarshalling filter that allows it, or start the JVM with"
                        + " -Dorg.freshet.serialization.filter=" + type.getName());
    }
}
