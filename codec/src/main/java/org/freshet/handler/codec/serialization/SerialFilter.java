package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.nio.ByteOrder;
import org.freshet.buffer.ChannelBuffer;

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

    /** The object, from here on in it so many bytes; null if it is not known. Its reader index moves while it is read. */
    private final ChannelBuffer object;

    private final int objectStart;
    private final int objectBytes;

    /** Of all arrays of the object together. */
    private final long maxArrayElements;

    private long arrayElements;

    /** Whether the object's collections have been looked at; only if there is one that may be costly. */
    private boolean scanned;

    /** Null if there is none. */
    private final ObjectInputFilter jvmWide;

    /** Whether neither filter looks at anything but classes, so that one answer for a class is enough. */
    private final boolean classesDecide;

    private InvalidClassException refusal;

    /** @param object its readable bytes are the serialized object */
    SerialFilter(SerialPolicy policy, ChannelBuffer object) {
        this(policy, object, object.readableBytes(), ObjectInputFilter.Config.getSerialFilter());
    }

    /**
     * @param object null for a filter that does not limit what collections cost; they may have been looked at before
     * @param objectBytes of the serialized object
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

    /** Refuses a class before the JDK looks at it, which may run its static initializer. */
    void check(Class<?> type) throws InvalidClassException {
        if (checkInput(new ClassInfo(type)) == Status.REJECTED) {
            throw refusal;
        }
    }

    /**
     * Called for nearly each part of an object, with an info that the JDK makes for it. As long as this method is small
     * and does not pass the info on, the JVM eliminates its allocation.
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

    // ---- what collections cost ----

    /** Looks at the whole object before the first of its collections that may be costly is read. */
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
            refuse(type, "the object cannot be scanned for the cost of its collections: " + e.getMessage());
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

    /** What the filters say: that it is allowed if the given one does, that it is rejected if either does. */
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
