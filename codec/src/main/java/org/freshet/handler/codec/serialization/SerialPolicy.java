package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import java.util.Objects;

/** What one decoder's filter and limits are. Immutable; any thread, as far as the given filter allows. */
final class SerialPolicy {
    static final String FILTER_PROPERTY = "org.freshet.serialization.filter";
    static final String MAX_DEPTH_PROPERTY = "org.freshet.serialization.maxDepth";
    static final String MAX_COLLECTION_COST_PROPERTY = "org.freshet.serialization.maxCollectionCost";

    /** Reading an object takes some stack for each level; this leaves threads with small stacks far from their end. */
    private static final int DEFAULT_MAX_DEPTH = 500;

    /** A few hundredths of a second, enough for hash tables of any size whose keys are numbers or strings. */
    private static final long BASE_COLLECTION_COST = 8_000_000;

    private static final int COLLECTION_COST_PER_BYTE = 16;

    /** What the property described when it was last used: so that connections share it, and what is remembered of it. */
    private static volatile PatternFilter lastOfProperty;

    final ClassResolver resolver;

    /** Null if none was given. */
    final ObjectInputFilter filter;

    /** Whether the given filter, if any, looks at nothing but classes. */
    final boolean classesDecide;

    final int maxDepth;

    /** Of one object, in units of {@link CollectionCost}; negative for the default, which depends on the object's size. */
    private final long maxCollectionCost;

    private SerialPolicy(ClassResolver resolver, ObjectInputFilter filter) {
        this.resolver = Objects.requireNonNull(resolver, "classResolver");
        this.filter = filter;
        classesDecide = filter == null || PatternFilters.lookAtClassesAlone(filter);
        maxDepth = Integer.getInteger(MAX_DEPTH_PROPERTY, DEFAULT_MAX_DEPTH);
        maxCollectionCost = Long.getLong(MAX_COLLECTION_COST_PROPERTY, -1);
    }

    /** With the filter that the system property describes, if it is set. */
    static SerialPolicy ofProperties(ClassResolver resolver) {
        String pattern = System.getProperty(FILTER_PROPERTY);
        return new SerialPolicy(resolver, pattern == null ? null : filterOf(pattern));
    }

    static SerialPolicy of(ClassResolver resolver, ObjectInputFilter filter) {
        return new SerialPolicy(resolver, Objects.requireNonNull(filter, "filter"));
    }

    private static ObjectInputFilter filterOf(String pattern) {
        PatternFilter last = lastOfProperty;
        if (last == null || !last.pattern.equals(pattern)) {
            last = new PatternFilter(pattern, parse(pattern));
            lastOfProperty = last;
        }
        return last.filter;
    }

    private static ObjectInputFilter parse(String pattern) {
        try {
            return ObjectInputFilter.Config.createFilter(pattern);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("system property " + FILTER_PROPERTY + ": " + e.getMessage(), e);
        }
    }

    long maxCollectionCost(int objectBytes) {
        return maxCollectionCost >= 0
                ? maxCollectionCost
                : BASE_COLLECTION_COST + (long) objectBytes * COLLECTION_COST_PER_BYTE;
    }

    boolean allowsByDefault(Class<?> type) {
        return ClassFacts.of(type).jdkType || resolver instanceof AllowListResolver list && list.allows(type);
    }

    private record PatternFilter(String pattern, ObjectInputFilter filter) {}
}
