package org.freshet.internal.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Tells the user of option keys that nothing understood: once per key and config class, since a server may see the same mistake
 * with each connection. Any thread may call.
 */
public final class UnknownOptions {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnknownOptions.class);
    private static final String STRICT = "org.freshet.strictOptions";
    /** What a server bootstrap's keys for accepted channels start with. */
    private static final String CHILD = "child.";

    /** The keys reported so far, by the class that did not know them; they go with their class. */
    private static final ClassValue<Set<String>> REPORTED = new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
            return ConcurrentHashMap.newKeySet();
        }
    };

    private UnknownOptions() {}

    /** Whether {@code config} takes its {@code setOption(String, Object)} from {@code owner}, not from a class below it. */
    static boolean speaksFor(Class<?> owner, Object config) {
        Class<?> type = config.getClass();
        if (type == owner) {
            return true;
        }
        try {
            return type.getMethod("setOption", String.class, Object.class).getDeclaringClass() == owner;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(type + " is a config", e);
        }
    }

    /**
     * Reports an unknown key.
     *
     * @param type the class that did not know it
     * @param key what the user wrote
     * @param known the keys that would have been understood
     * @param accepting whether the user may also have meant an option of the channels that this one accepts
     * @throws IllegalArgumentException when strict options are asked for
     */
    static void report(Class<?> type, String key, Collection<String> known, boolean accepting) {
        String hint = "; did you mean \"" + nearest(key, accepting ? withChildren(known) : known) + "\"?";
        if (Boolean.getBoolean(STRICT)) {
            throw new IllegalArgumentException("unknown option for " + type.getName() + ": \"" + key + "\"" + hint);
        }
        if (REPORTED.get(type).add(key)) {
            logger.warn("ignored an unknown option for " + type.getName() + ": \"" + key + "\"" + hint);
        }
    }

    /**
     * The known key that takes the fewest edits to get to, upper and lower case being alike. To have forgotten {@link #CHILD}
     * counts as one edit.
     */
    public static String nearest(String key, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> edits(key, candidate)))
                .orElseThrow();
    }

    private static Collection<String> withChildren(Collection<String> known) {
        List<String> all = new ArrayList<>(known);
        OptionKeys.all().forEach(key -> all.add(CHILD + key));
        return all;
    }

    private static int edits(String key, String candidate) {
        boolean prefixForgotten = candidate.startsWith(CHILD) && !key.startsWith(CHILD);
        return prefixForgotten ? 1 + distance(key, candidate.substring(CHILD.length())) : distance(key, candidate);
    }

    /** Levenshtein's distance, row by row. */
    private static int distance(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[] above = new int[b.length() + 1];
        for (int j = 0; j < above.length; j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
