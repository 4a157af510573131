package org.freshet.internal.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Reports option keys that a config does not know: once for each key and config class, because a server may meet the same
 * mistake with each connection. Any thread may call.
 */
public final class UnknownOptions {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnknownOptions.class);
    private static final String STRICT = "org.freshet.strictOptions";
    /** What a server bootstrap's keys for accepted channels start with. */
    private static final String CHILD = "child.";
    /** A shorter beginning says too little. */
    private static final int MIN_PREFIX_LENGTH = 4;

    /** The keys reported so far, by the class that did not know them; they go with their class. */
    private static final ClassValue<Set<String>> REPORTED = new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
            return ConcurrentHashMap.newKeySet();
        }
    };

    private UnknownOptions() {}

    /** Whether {@code config} takes its {@code setOption(String, Object)} from a class with a table, not from a user's class. */
    static boolean speaksFor(Class<?> owner, Object config) {
        Class<?> type = config.getClass();
        if (type == owner) {
            return true;
        }
        try {
            return OptionTable.isOwner(
                    type.getMethod("setOption", String.class, Object.class).getDeclaringClass());
        } catch (NoSuchMethodException | LinkageError e) {
            return false; // in a native image without metadata for the class, which may know the key
        }
    }

    /**
     * Reports an unknown key. One that another kind of channel knows is no mistake of the program's in itself: a set of options
     * may serve several kinds. But one that accepted channels would know most likely lacks its prefix.
     *
     * @param type the class that did not know it
     * @param key what the user wrote
     * @param known the keys that would have been understood
     * @param accepting whether the user may also have meant an option of the channels that this one accepts
     * @throws IllegalArgumentException when strict options are asked for
     */
    static void report(Class<?> type, String key, Collection<String> known, boolean accepting) {
        boolean knownElsewhere = isKnownElsewhere(key, accepting);
        if (Boolean.getBoolean(STRICT)) {
            throw new IllegalArgumentException("unknown option for " + type.getName() + ": \"" + key + "\""
                    + advice(key, suggestions(known, accepting)));
        }
        if (!REPORTED.get(type).add(key)) {
            return;
        }
        if (knownElsewhere) {
            logger.debug("ignored an option that " + type.getName() + " does not have: \"" + key + "\"");
        } else {
            logger.warn("ignored an unknown option for " + type.getName() + ": \"" + key + "\""
                    + advice(key, suggestions(known, accepting)));
        }
    }

    /** Also with the prefix by which a server passes it to its connections. */
    private static boolean isKnownElsewhere(String key, boolean accepting) {
        return accepting
                ? OptionKeys.isDefined(key) && !OptionKeys.all().contains(key)
                : OptionKeys.isDefined(withoutPrefix(key));
    }

    private static String withoutPrefix(String key) {
        return key.startsWith(CHILD) ? key.substring(CHILD.length()) : key;
    }

    /** What to append to a message about an unknown key: the known key that looks like it, else all known keys. */
    public static String advice(String key, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(key, candidate))
                .min(Comparator.comparingInt(candidate -> edits(key, candidate)))
                .map(nearest -> "; did you mean \"" + nearest + "\"?")
                .orElseGet(() -> "; known are " + String.join(", ", new TreeSet<>(known)));
    }

    /** Whether one is the beginning of the other, or few characters differ. */
    private static boolean isNear(String key, String candidate) {
        return candidate.regionMatches(true, 0, key, 0, Math.max(key.length(), MIN_PREFIX_LENGTH))
                || key.regionMatches(true, 0, candidate, 0, Math.max(candidate.length(), MIN_PREFIX_LENGTH))
                || edits(key, candidate) <= Math.max(1, withoutPrefix(key).length() / 3);
    }

    private static Collection<String> suggestions(Collection<String> known, boolean accepting) {
        List<String> suggestions = new ArrayList<>(known);
        suggestions.addAll(OptionKeys.ADDRESSES);
        if (accepting) {
            OptionKeys.all().forEach(key -> suggestions.add(CHILD + key));
        }
        return suggestions;
    }

    /**
     * How many characters have to be inserted, removed or replaced, ignoring case. A {@link #CHILD} that only one of them has
     * counts as one.
     */
    private static int edits(String key, String candidate) {
        int prefix = key.startsWith(CHILD) == candidate.startsWith(CHILD) ? 0 : 1;
        return prefix + distance(withoutPrefix(key), withoutPrefix(candidate));
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
