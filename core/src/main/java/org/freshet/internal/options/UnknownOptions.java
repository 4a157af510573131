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
 * Reports option keys that a config does not know: once per key and config class, because a server may hit the same mistake with each
 * connection. Any thread may call any method.
 */
public final class UnknownOptions {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnknownOptions.class);
    private static final String STRICT = "org.freshet.strictOptions";
    /** The prefix of a server bootstrap's keys for accepted connections. */
    private static final String CHILD = "child.";
    /** A shorter common prefix means too little. */
    private static final int MIN_PREFIX_LENGTH = 4;

    /** The keys reported so far, by the class that did not know them; unloaded together with the class. */
    private static final ClassValue<Set<String>> REPORTED = new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
            return ConcurrentHashMap.newKeySet();
        }
    };

    private UnknownOptions() {}

    /** Whether {@code config} inherits its {@code setOption(String, Object)} from a class with a table, rather than a user's class. */
    static boolean speaksFor(Class<?> owner, Object config) {
        Class<?> type = config.getClass();
        if (type == owner) {
            return true;
        }
        try {
            return OptionTable.isOwner(
                    type.getMethod("setOption", String.class, Object.class).getDeclaringClass());
        } catch (NoSuchMethodException | LinkageError e) {
            return false; // no metadata in a native image; the class may know the key
        }
    }

    /**
     * Reports an unknown key. If another kind of channel knows the key, it is not necessarily a mistake: a set of options may be used for
     * several kinds. But if accepted channels would know it, most likely its prefix is missing.
     *
     * @param type the class that did not know it
     * @param key the key as the user wrote it
     * @param known the keys that the class knows
     * @param accepting whether the user may have meant an option of the channels that this one accepts
     * @throws IllegalArgumentException with strict options
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

    /** Also accepts the prefix with which a server passes the option to its connections. */
    private static boolean isKnownElsewhere(String key, boolean accepting) {
        return accepting
                ? OptionKeys.isDefined(key) && !OptionKeys.all().contains(key)
                : OptionKeys.isDefined(withoutPrefix(key));
    }

    private static String withoutPrefix(String key) {
        return key.startsWith(CHILD) ? key.substring(CHILD.length()) : key;
    }

    /** Returns the end of a message about an unknown key: the most similar known key, or else all known keys. */
    public static String advice(String key, Collection<String> known) {
        return known.stream()
                .filter(candidate -> isNear(key, candidate))
                .min(Comparator.comparingInt(candidate -> edits(key, candidate)))
                .map(nearest -> "; did you mean \"" + nearest + "\"?")
                .orElseGet(() -> "; known options: " + String.join(", ", new TreeSet<>(known)));
    }

    /** Whether one is a prefix of the other, or they differ in few characters. */
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
     * Returns how many characters have to be inserted, removed or replaced, ignoring case. A {@link #CHILD} prefix on only one of them
     * counts as one.
     */
    private static int edits(String key, String candidate) {
        int prefix = key.startsWith(CHILD) == candidate.startsWith(CHILD) ? 0 : 1;
        return prefix + distance(withoutPrefix(key), withoutPrefix(candidate));
    }

    /** The Levenshtein distance, row by row. */
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
