package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;
import java.util.Objects;

/** What one decoder's filter and limits are. Immutable; any thread, as far as the given filter allows. */
final class SerialPolicy {
    static final String FILTER_PROPERTY = "org.freshet.serialization.filter";
    static final String MAX_DEPTH_PROPERTY = "org.freshet.serialization.maxDepth";

    /** Reading an object takes some stack for each level; this leaves threads with small stacks far from their end. */
    private static final int DEFAULT_MAX_DEPTH = 500;

    /** What the property described when it was last used: so that connections share it, and what is remembered of it. */
    private static volatile PatternFilter lastOfProperty;

    final ClassResolver resolver;

    /** Null if nobody gave one. */
    final ObjectInputFilter filter;

    /** Whether the given filter, if any, looks at nothing but classes. */
    final boolean classesDecide;

    final int maxDepth;

    private SerialPolicy(ClassResolver resolver, ObjectInputFilter filter) {
        this.resolver = Objects.requireNonNull(resolver, "classResolver");
        this.filter = filter;
        classesDecide = filter == null || PatternFilters.lookAtClassesAlone(filter);
        maxDepth = Integer.getInteger(MAX_DEPTH_PROPERTY, DEFAULT_MAX_DEPTH);
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

    boolean allowsByDefault(Class<?> type) {
        return ClassFacts.of(type).jdkType || resolver instanceof AllowListResolver list && list.allows(type);
    }

    private record PatternFilter(String pattern, ObjectInputFilter filter) {}
}
