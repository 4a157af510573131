package org.freshet.handler.codec.serialization;

import java.io.ObjectInputFilter;

/** Tells which filters look at classes alone, so that what they said of a class can be remembered. Any thread. */
final class PatternFilters {
    private static final String SAMPLE_PATTERN = "maxdepth=1";
    private static final ObjectInputFilter SAMPLE = ObjectInputFilter.Config.createFilter(SAMPLE_PATTERN);

    /** Not specified, so not taken for granted: a JVM that does otherwise has filters that are asked each time. */
    private static final boolean PATTERN_IS_TOLD = SAMPLE.toString().equals(SAMPLE_PATTERN);

    private PatternFilters() {}

    /** Whether the JDK made the filter of a pattern that has no limits; every limit has an equals sign, and nothing else. */
    static boolean lookAtClassesAlone(ObjectInputFilter filter) {
        return PATTERN_IS_TOLD
                && filter.getClass() == SAMPLE.getClass()
                && filter.toString().indexOf('=') < 0;
    }
}
