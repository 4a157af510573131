package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import java.util.Objects;

/** The filter and limits of one decoder. Immutable; any thread, if the given filter is thread-safe. */
final class SerialPolicy {
    static final String FILTER_PROPERTY = "org.freshet.serialization.filter";
    static final String MAX_DEPTH_PROPERTY = "org.freshet.serialization.maxDepth";
    static final String MAX_COLLECTION_COST_PROPERTY = "org.freshet.serialization.maxCollectionCost";

    /** Reading an object takes stack for each level; this is far from the limit even for threads with small stacks. */
    private static final int DEFAULT_MAX_DEPTH = 500;

    /** A few hundredths of a second: enough for hash tables of any size whose keys are numbers or strings. */
    private static final long BASE_COLLECTION_COST = 8_000_000;

    private static final int COLLECTION_COST_PER_BYTE = 16;

    /** The most recent filter made from the property, shared by connections together with its cached answers. */
    private static volatile PatternFilter lastOfProperty;

    final ClassResolver resolver;

    /** Null if no filter was given. */
    final ObjectInputFilter filter;

    /** Whether the given filter, if any, looks only at classes. */
    final boolean classesDecide;

    final int maxDepth;

    /**
     * Limit per object, in units of {@link CollectionCost}; negative for the default, which depends on the object's
     * size.
     */
    private final long maxCollectionCost;

    private SerialPolicy(ClassResolver resolver, ObjectInputFilter filter) {
        this.resolver = Objects.requireNonNull(resolver, "classResolver");
        this.filter = filter;
        classesDecide = filter == null || PatternFilters.lookAtClassesAlone(filter);
        maxDepth = Integer.getInteger(MAX_DEPTH_PROPERTY, DEFAULT_MAX_DEPTH);
        maxCollectionCost = Long.getLong(MAX_COLLECTION_COST_PROPERTY, -1);
    }

    /** Uses the filter in the system property, if that is set. */
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
