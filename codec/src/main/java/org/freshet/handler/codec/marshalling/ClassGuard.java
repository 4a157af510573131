package org.freshet.handler.codec.marshalling;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import org.freshet.handler.codec.serialization.ClassFilters;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.UnmarshallingObjectInputFilter;

/**
 * The filter of an unmarshaller. It checks, in this order: the total of array lengths, the filter in the user's
 * configuration if that decides, {@link ClassFilters#defaults()}. Remembers the reason for a refusal, because the
 * library does not report it.
 *
 * <p>Any thread may use it; {@link Unmarshalling} sets the size of the object that the thread reads.
 */
final class ClassGuard implements UnmarshallingObjectInputFilter {
    /** The object that the current thread is reading; empty if it reads none. */
    static final ThreadLocal<Reading> READING = new ThreadLocal<>();

    /** The state of one object. */
    static final class Reading {
        /**
         * A hash table has up to eight slots per entry, and an entry takes at least two bytes, in practice many more.
         * Other arrays are shorter than the bytes that describe them.
         */
        private static final int MAX_ARRAY_ELEMENTS_PER_BYTE = 4;

        /** Limit for the total length of all arrays. */
        private final long maxArrayElements;

        private long arrayElements;
        private InvalidClassException refusal;

        Reading(int objectBytes) {
            maxArrayElements = (objectBytes + 16L) * MAX_ARRAY_ELEMENTS_PER_BYTE;
        }

        /** Adds an array. Returns whether the object's bytes are too few to fill its arrays. */
        boolean exceeds(long arrayLength) {
            arrayElements += Math.max(0, arrayLength);
            return arrayElements > maxArrayElements;
        }

        /** Null if nothing was refused. */
        InvalidClassException refusal() {
            return refusal;
        }
    }

    private final ObjectInputFilter standard = ClassFilters.defaults();

    /** Null if the user gave no filter. */
    private final UnmarshallingObjectInputFilter given;

    private ClassGuard(UnmarshallingObjectInputFilter given) {
        this.given = given;
    }

    /** Returns a guarded copy of the configuration. */
    static MarshallingConfiguration guarded(MarshallingConfiguration config) {
        MarshallingConfiguration guarded = config.clone();
        ClassGuard guard = new ClassGuard(config.getUnmarshallingFilter());
        guarded.setUnmarshallingFilter(guard);
        guarded.setClassResolver(new GuardedClassResolver(config.getClassResolver(), guard));
        return guarded;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        Reading reading = READING.get();
        if (reading != null && reading.exceeds(info.getArrayLength())) {
            return refuse(
                    info,
                    "array lengths add up to more than " + reading.maxArrayElements + ": " + reading.arrayElements
                            + ", which the object's bytes cannot fill");
        }
        Status decision = given == null ? Status.UNDECIDED : decisionOfGiven(info);
        if (decision == Status.REJECTED) {
            return refuse(info, "refused by the given filter " + given);
        }
        if (decision == Status.ALLOWED
                || standard.checkInput(new AsSerialInfo(info)) != ObjectInputFilter.Status.REJECTED) {
            return Status.ALLOWED;
        }
        return refuse(
                info,
                "refused by default, or too deep; to accept it, give the MarshallingConfiguration an unmarshalling"
                        + " filter that allows it, or start the JVM with -Dorg.freshet.serialization.filter="
                        + name(info));
    }

    /**
     * Asks the user's filter. Its patterns name classes, so arrays are decided by their element class, as in the JDK's
     * filters.
     */
    private Status decisionOfGiven(FilterInfo info) {
        Status decision = given.checkInput(info);
        Class<?> type = info.getUnmarshalledClass();
        return decision == Status.UNDECIDED && type != null && type.isArray()
                ? given.checkInput(new ElementInfo(info, elementOf(type)))
                : decision;
    }

    private static Status refuse(FilterInfo info, String reason) {
        Reading reading = READING.get();
        if (reading != null && reading.refusal == null) {
            reading.refusal = new InvalidClassException(name(info), reason);
        }
        return Status.REJECTED;
    }

    private static String name(FilterInfo info) {
        Class<?> type = info.getUnmarshalledClass();
        return type == null ? null : elementOf(type).getName();
    }

    private static Class<?> elementOf(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }

    private record ElementInfo(FilterInfo array, Class<?> getUnmarshalledClass) implements FilterInfo {
        @Override
        public long getArrayLength() {
            return array.getArrayLength();
        }

        @Override
        public long getDepth() {
            return array.getDepth();
        }

        @Override
        public long getReferences() {
            return array.getReferences();
        }

        @Override
        public long getStreamBytes() {
            return array.getStreamBytes();
        }
    }

    private record AsSerialInfo(FilterInfo info) implements ObjectInputFilter.FilterInfo {
        @Override
        public Class<?> serialClass() {
            return info.getUnmarshalledClass();
        }

        @Override
        public long arrayLength() {
            return info.getArrayLength();
        }

        @Override
        public long depth() {
            return info.getDepth();
        }

        @Override
        public long references() {
            return info.getReferences();
        }

        @Override
        public long streamBytes() {
            return info.getStreamBytes();
        }
    }
}
