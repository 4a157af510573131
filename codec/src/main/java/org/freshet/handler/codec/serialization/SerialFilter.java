package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.nio.ByteOrder;
import org.freshet.buffer.ChannelBuffer;

/**
 * The filter for one object being read. It checks, in this order: limits, the JVM-wide filter if that refuses, the
 * given filter if that decides, the classes allowed by default. Remembers the reason for a refusal, because the JDK
 * does not report it.
 *
 * <p>Belongs to the thread that reads the object.
 */
final class SerialFilter implements ObjectInputFilter {
    /**
     * A hash table has up to eight slots per entry, and an entry takes at least two bytes, in practice many more. Other
     * arrays are shorter than the bytes that describe them.
     */
    private static final int MAX_ARRAY_ELEMENTS_PER_BYTE = 4;

    private final SerialPolicy policy;

    /** Contains the object from its reader index on, which moves as the object is read; null if unknown. */
    private final ChannelBuffer object;

    private final int objectStart;
    private final int objectBytes;

    /** Limit for the total length of the object's arrays. */
    private final long maxArrayElements;

    private long arrayElements;

    /** Whether the cost of the object's collections was checked; only done if one of them may be costly. */
    private boolean scanned;

    /** Null if there is no JVM-wide filter. */
    private final ObjectInputFilter jvmWide;

    /** Whether both filters look only at classes, so one answer per class is enough. */
    private final boolean classesDecide;

    private InvalidClassException refusal;

    /** @param object its readable bytes are the serialized object */
    SerialFilter(SerialPolicy policy, ChannelBuffer object) {
        this(policy, object, object.readableBytes(), ObjectInputFilter.Config.getSerialFilter());
    }

    /**
     * @param object null for a filter that does not limit the cost of collections, for instance because it was already
     *     checked
     * @param objectBytes length of the serialized object
     */
    SerialFilter(SerialPolicy policy, ChannelBuffer object, int objectBytes, ObjectInputFilter jvmWide) {
        this.policy = policy;
        this.object = object;
        this.objectBytes = objectBytes;
        objectStart = object == null ? 0 : object.readerIndex();
        maxArrayElements = (objectBytes + 16L) * MAX_ARRAY_ELEMENTS_PER_BYTE;
        this.jvmWide = jvmWide;
        classesDecide = policy.classesDecide && (jvmWide == null || PatternFilters.lookAtClassesAlone(jvmWide));
    }

    /** Null if nothing was refused. */
    InvalidClassException refusal() {
        return refusal;
    }

    /** Refuses a class before the JDK looks at it, because that may run its static initializer. */
    void check(Class<?> type) throws InvalidClassException {
        if (checkInput(new ClassInfo(type)) == Status.REJECTED) {
            throw refusal;
        }
    }

    /**
     * Called for almost every part of an object, with an info object that the JDK allocates for each call. If this
     * method stays small and does not pass the info on, the JVM eliminates that allocation.
     */
    @Override
    public Status checkInput(FilterInfo info) {
        arrayElements += Math.max(0, info.arrayLength());
        if (info.depth() > policy.maxDepth || arrayElements > maxArrayElements) {
            return refuseSize(info.serialClass(), info.depth());
        }
        Class<?> type = info.serialClass();
        if (type != null && !costIsAllowed(type)) {
            return Status.REJECTED;
        }
        if (!classesDecide) {
            return decide(type, ask(info));
        }
        return type == null ? Status.ALLOWED : decide(type, answerFor(type));
    }

    // ---- the cost of collections ----

    /** Checks the whole object before the first collection that may be costly is read. */
    private boolean costIsAllowed(Class<?> type) {
        if (scanned || object == null || !ClassFacts.of(type).costly) {
            return true;
        }
        scanned = true;
        try {
            long limit = policy.maxCollectionCost(objectBytes);
            long cost = StreamScan.cost(
                    object.toByteBuffer(objectStart, objectBytes).order(ByteOrder.BIG_ENDIAN),
                    policy.resolver,
                    this,
                    policy.maxDepth);
            if (cost > limit) {
                refuse(type, tooCostly(cost, limit));
            }
        } catch (IOException | ClassNotFoundException e) {
            refuse(type, "cannot scan the object for the cost of its collections: " + e.getMessage());
        }
        return refusal == null;
    }

    static String tooCostly(long cost, long limit) {
        return "hashing and comparing the elements of the object's collections costs more than " + limit + ": " + cost
                + "; -D" + SerialPolicy.MAX_COLLECTION_COST_PROPERTY + " sets the limit";
    }

    // ---- classes ----

    private Status answerFor(Class<?> type) {
        if (jvmWide == null && policy.filter == null) {
            return Status.UNDECIDED;
        }
        ClassFacts facts = ClassFacts.of(type);
        Status answer = facts.answerOf(jvmWide, policy.filter);
        if (answer == null) {
            answer = ask(new ClassInfo(type));
            if (answer != Status.REJECTED) {
                facts.remember(jvmWide, policy.filter, answer);
            }
        }
        return answer;
    }

    /** Returns the filters' decision: rejected if either rejects, allowed if the given filter allows. */
    private Status ask(FilterInfo info) {
        if (jvmWide != null && jvmWide.checkInput(info) == Status.REJECTED) {
            return refuse(info.serialClass(), "refused by the JVM-wide filter (jdk.serialFilter)");
        }
        Status given = policy.filter == null ? Status.UNDECIDED : policy.filter.checkInput(info);
        return given == Status.ALLOWED || given == Status.UNDECIDED
                ? given
                : refuse(info.serialClass(), "refused by the given filter " + policy.filter);
    }

    private Status decide(Class<?> type, Status answer) {
        if (answer != Status.UNDECIDED) {
            return answer;
        }
        if (type == null || policy.allowsByDefault(type)) {
            return Status.ALLOWED;
        }
        return refuse(
                type, "refused by default; " + remedies(JdkTypes.elementOf(type).getName()));
    }

    static String remedies(String className) {
        return "to accept it, give the decoder an ObjectInputFilter (or ClassResolvers.allowList) that allows it,"
                + " or start the JVM with -D" + SerialPolicy.FILTER_PROPERTY + "=" + className;
    }

    private Status refuseSize(Class<?> type, long depth) {
        return refuse(
                type,
                depth > policy.maxDepth
                        ? "depth > " + policy.maxDepth + ": " + depth + "; -D" + SerialPolicy.MAX_DEPTH_PROPERTY
                                + " sets the limit"
                        : "array lengths add up to more than " + maxArrayElements + ": " + arrayElements
                                + ", which the object's bytes cannot fill");
    }

    private Status refuse(Class<?> type, String reason) {
        if (refusal == null) {
            refusal = new InvalidClassException(type == null ? null : type.getName(), reason);
        }
        return Status.REJECTED;
    }

    /** The filter info for a class alone. */
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
