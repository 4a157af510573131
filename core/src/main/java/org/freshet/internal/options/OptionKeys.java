package org.freshet.internal.options;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The keys of the options that some kind of channel knows, whichever. Any thread may read. */
public final class OptionKeys {
    /** What bootstraps take beside options: the addresses to use where none is given. */
    public static final List<String> ADDRESSES = List.of("localAddress", "remoteAddress");

    private static final Set<String> ALL = Collections.synchronizedSet(new LinkedHashSet<>());

    private OptionKeys() {}

    /** Called once for each option, before any table names it. */
    public static void define(String key) {
        ALL.add(key);
    }

    /** Whether some kind of channel, or a bootstrap, knows the key. */
    static boolean isDefined(String key) {
        return ALL.contains(key) || ADDRESSES.contains(key);
    }

    /** A copy, in the order of definition. */
    public static Set<String> all() {
        synchronized (ALL) {
            return new LinkedHashSet<>(ALL);
        }
    }
}
