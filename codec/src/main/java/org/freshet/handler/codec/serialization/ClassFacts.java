package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;

/**
 * What is known of a class that came in a stream: classes are asked about for every object that is read. Lives and dies with
 * its class. Any thread; one that does not see yet what another has found out finds it again.
 */
final class ClassFacts {
    private static final ClassValue<ClassFacts> FACTS = new ClassValue<>() {
        @Override
        protected ClassFacts computeValue(Class<?> type) {
            return new ClassFacts(JdkTypes.contains(type), CollectionCost.isCostly(type.getName()));
        }
    };

    /** Whether {@link JdkTypes} has it. */
    final boolean jdkType;

    /** Whether {@link CollectionCost} has a rule for it. */
    final boolean costly;

    /** Whether the JDK has described the class already, so that to do it again runs none of the class's code. */
    volatile boolean described;

    /** Null if no filter said something worth keeping. */
    private volatile Answer answer;

    private ClassFacts(boolean jdkType, boolean costly) {
        this.jdkType = jdkType;
        this.costly = costly;
    }

    static ClassFacts of(Class<?> type) {
        return FACTS.get(type);
    }

    /** What these two filters, either of which may be null, said of the class; null if they were not the last ones asked. */
    Status answerOf(ObjectInputFilter jvmWide, ObjectInputFilter given) {
        Answer last = answer;
        return last != null && last.jvmWide == jvmWide && last.given == given ? last.status : null;
    }

    /** The filters stay in memory with the class: they must be {@link PatternFilters}, which hold nothing. */
    void remember(ObjectInputFilter jvmWide, ObjectInputFilter given, Status status) {
        answer = new Answer(jvmWide, given, status);
    }

    private record Answer(ObjectInputFilter jvmWide, ObjectInputFilter given, Status status) {}
}
