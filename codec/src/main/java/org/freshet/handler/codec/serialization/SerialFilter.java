package org.freshet.handler.codec.serialization;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;

/**
 * The filter of one object that is being read. In this order: limits, the JVM-wide filter as far as it refuses, the given
 * filter as far as it decides, the classes that are allowed by default. Remembers why it refused, since the JDK does not say.
 *
 * <p>Belongs to the thread that reads the object.
 */
final class SerialFilter implements ObjectInputFilter {
    /**
     * A hash table has up to eight places for an entry, which takes two bytes at least and in truth many more; other
     * arrays are shorter than the bytes that describe them.
     */
    private static final int MAX_ARRAY_ELEMENTS_PER_BYTE = 4;

    private final SerialPolicy policy;
    private final long maxArrayLength;
    private InvalidClassException refusal;

    /** @param objectSize bytes of the serialized object */
    SerialFilter(SerialPolicy policy, int objectSize) {
        this.policy = policy;
        maxArrayLength = (objectSize + 16L) * MAX_ARRAY_ELEMENTS_PER_BYTE;
    }

    /** Null if nothing was refused. */
    InvalidClassException refusal() {
        return refusal;
    }

    /** Refuses a class before the JDK looks at it, which may run its static initializer. */
    void check(Class<?> type) throws InvalidClassException {
        if (checkInput(new ClassInfo(type)) == Status.REJECTED) {
            throw refusal;
        }
    }

    @Override
    public Status checkInput(FilterInfo info) {
        Class<?> type = info.serialClass();
        if (info.depth() > policy.maxDepth) {
            return refuse(
                    type,
                    "depth > " + policy.maxDepth + ": " + info.depth() + "; -D" + SerialPolicy.MAX_DEPTH_PROPERTY
                            + " sets the limit");
        }
        if (info.arrayLength() > maxArrayLength) {
            return refuse(
                    type,
                    "array length > " + maxArrayLength + ": " + info.arrayLength()
                            + ", which the object's bytes cannot fill");
        }
        ObjectInputFilter jvmWide = ObjectInputFilter.Config.getSerialFilter();
        if (jvmWide != null && jvmWide.checkInput(info) == Status.REJECTED) {
            return refuse(type, "refused by the JVM-wide filter (jdk.serialFilter)");
        }
        Status given = policy.filter == null ? Status.UNDECIDED : policy.filter.checkInput(info);
        if (given == Status.ALLOWED || given == Status.UNDECIDED && (type == null || policy.allowsByDefault(type))) {
            return Status.ALLOWED;
        }
        return refuse(
                type,
                given == Status.UNDECIDED
                        ? "refused by default; "
                                + remedies(JdkTypes.elementOf(type).getName())
                        : "refused by the given filter " + policy.filter);
    }

    static String remedies(String className) {
        return "to accept it, give the decoder an ObjectInputFilter (or ClassResolvers.allowList) that allows it,"
                + " or start the JVM with -D" + SerialPolicy.FILTER_PROPERTY + "=" + className;
    }

    private Status refuse(Class<?> type, String reason) {
        if (refusal == null) {
            refusal = new InvalidClassException(type == null ? null : type.getName(), reason);
        }
        return Status.REJECTED;
    }

    /** A class alone, as a filter sees it. */
    private record ClassInfo(Class<?> serialClass) implements FilterInfo {
        @Override
        public long arrayLength() {
            return -1;
        }

        @Override
        public long depth() {
            return 1;
        }

        @Override
        public long references() {
            return 1;
        }

        @Override
        public long streamBytes() {
            return 0;
        }
    }
}
