package org.freshet.internal.options;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The keys of all options of all kinds of channels. Any thread may read them. */
public final class OptionKeys {
    /** The keys that bootstraps accept besides options: the addresses to use when a call doesn't give one. */
    public static final List<String> ADDRESSES = List.of("localAddress", "remoteAddress");

    private static final Set<String> ALL = Collections.synchronizedSet(new LinkedHashSet<>());

    private OptionKeys() {}

    /** Called once per option, before any table uses it. */
    public static void define(String key) {
        ALL.add(key);
    }

    /** Whether a bootstrap or any kind of channel knows the key. */
    static boolean isDefined(String key) {
        return ALL.contains(key) || ADDRESSES.contains(key);
    }

    /** Returns a copy, in the order of definition. */
    public static Set<String> all() {
        synchronized (ALL) {
            return new LinkedHashSet<>(ALL);
        }
    }
}
