package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;

/** Recognizes filters that look only at classes, so that their answer for a class can be cached. Any thread. */
final class PatternFilters {
    private static final String SAMPLE_PATTERN = "maxdepth=1";
    private static final ObjectInputFilter SAMPLE = ObjectInputFilter.Config.createFilter(SAMPLE_PATTERN);

    /**
     * Whether {@code toString} of a pattern filter is its pattern. That's not specified: on a JVM where it's false,
     * filters are asked each time.
     */
    private static final boolean TO_STRING_IS_PATTERN = SAMPLE.toString().equals(SAMPLE_PATTERN);

    private PatternFilters() {}

    /**
     * Returns whether the filter was made by the JDK from a pattern without limits. Every limit has an equals sign, and
     * nothing else has.
     */
    static boolean lookAtClassesAlone(ObjectInputFilter filter) {
        return TO_STRING_IS_PATTERN
                && filter.getClass() == SAMPLE.getClass()
                && filter.toString().indexOf('=') < 0;
    }
}
