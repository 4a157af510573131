package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;

/**
 * Cached facts about a class in a stream, because every object read asks for them. Garbage-collected with its class.
 * Any thread; if one thread does not see another's result yet, it computes it again.
 */
final class ClassFacts {
    private static final ClassValue<ClassFacts> FACTS = new ClassValue<>() {
        @Override
        protected ClassFacts computeValue(Class<?> type) {
            return new ClassFacts(JdkTypes.contains(type), CollectionCost.isCostly(type.getName()));
        }
    };

    /** Whether {@link JdkTypes} contains the class. */
    final boolean jdkType;

    /** Whether {@link CollectionCost} has a rule for it. */
    final boolean costly;

    /** Whether the JDK has already described the class. Doing that again runs none of the class's code. */
    volatile boolean described;

    /** Null if no filter gave an answer worth keeping. */
    private volatile Answer answer;

    private ClassFacts(boolean jdkType, boolean costly) {
        this.jdkType = jdkType;
        this.costly = costly;
    }

    static ClassFacts of(Class<?> type) {
        return FACTS.get(type);
    }

    /** Returns the answer of these two filters, either of which may be null; null if other filters were asked last. */
    Status answerOf(ObjectInputFilter jvmWide, ObjectInputFilter given) {
        Answer last = answer;
        return last != null && last.jvmWide == jvmWide && last.given == given ? last.status : null;
    }

    /**
     * Keeps an answer. The filters stay in memory as long as the class, so they must be {@link PatternFilters}, which
     * hold nothing.
     */
    void remember(ObjectInputFilter jvmWide, ObjectInputFilter given, Status status) {
        answer = new Answer(jvmWide, given, status);
    }

    private record Answer(ObjectInputFilter jvmWide, ObjectInputFilter given, Status status) {}
}
