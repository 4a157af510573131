package org.freshet.handler.codec.http2;

import java.util.Locale;

/**
 * Header names in lower case, cached because programs keep using the same few constants. A slot holds the last pair and forgets
 * the one before.
 *
 * <p>Any thread: pairs are immutable, and it doesn't matter which thread's pair stays.
 */
final class LowerCaseNames {
    private record Pair(String name, String lowerCase) {}

    private static final Pair[] SLOTS = new Pair[256];

    private LowerCaseNames() {}

    static String of(String name) {
        int slot = (name.hashCode() ^ name.hashCode() >>> 8) & SLOTS.length - 1;
        Pair pair = SLOTS[slot];
        if (pair != null && pair.name.equals(name)) {
            return pair.lowerCase;
        }
        String lowerCase = name.toLowerCase(Locale.ROOT);
        SLOTS[slot] = new Pair(name, lowerCase);
        return lowerCase;
    }
}
