package org.freshet.internal.options;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The keys of the options that some kind of channel knows, whichever. Any thread may read. */
public final class OptionKeys {
    private static final Set<String> ALL = Collections.synchronizedSet(new LinkedHashSet<>());

    private OptionKeys() {}

    /** Called once for each option, before any table names it. */
    public static void define(String key) {
        ALL.add(key);
    }

    /** A copy, in the order of definition. */
    public static Set<String> all() {
        synchronized (ALL) {
            return new LinkedHashSet<>(ALL);
        }
    }
}
