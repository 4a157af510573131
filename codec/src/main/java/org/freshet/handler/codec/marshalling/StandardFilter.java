package org.freshet.handler.codec.marshalling;

import java.io.ObjectInputFilter;
import org.freshet.handler.codec.serialization.ClassFilters;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.UnmarshallingObjectInputFilter;

/**
 * {@link ClassFilters#standard()} as JBoss Marshalling wants it. Any thread may use it; {@link Unmarshalling} tells it, thread
 * by thread, how large the object is that is being read, and asks which class it refused.
 */
final class StandardFilter implements UnmarshallingObjectInputFilter {
    /** What is being read on this thread; empty while nothing is. */
    static final ThreadLocal<Reading> READING = new ThreadLocal<>();

    /** One object. */
    static final class Reading {
        private final long maxArrayLength;

        /** Null if nothing was refused. */
        private Class<?> refused;

        /** An array is shorter than the bytes that describe it, but for the tables of hash maps. */
        Reading(int objectBytes) {
            maxArrayLength = (objectBytes + 16L) * 4;
        }

        Class<?> refused() {
            return refused;
        }
    }

    private final ObjectInputFilter standard = ClassFilters.standard();

    private StandardFilter() {}

    static MarshallingConfiguration ensuredIn(MarshallingConfiguration config) {
        if (config.getUnmarshallingFilter() != null) {
            return config;
        }
        MarshallingConfiguration filtered = config.clone();
        filtered.setUnmarshallingFilter(new StandardFilter());
        return filtered;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        Reading reading = READING.get();
        if (reading != null && info.getArrayLength() > reading.maxArrayLength) {
            reading.refused = info.getUnmarshalledClass();
            return Status.REJECTED;
        }
        if (standard.checkInput(new Adapted(info)) != ObjectInputFilter.Status.REJECTED) {
            return Status.ALLOWED;
        }
        if (reading != null) {
            reading.refused = info.getUnmarshalledClass();
        }
        return Status.REJECTED;
    }

    private record Adapted(FilterInfo info) implements ObjectInputFilter.FilterInfo {
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
