package org.freshet.util;

import java.util.Locale;

/**
 * Whether this JVM was started in debug mode, with the system property {@code org.freshet.debug}. Any thread may call
 * it.
 */
public final class DebugUtil {
    private static final boolean ENABLED = isOn(System.getProperty("org.freshet.debug"));

    private DebugUtil() {}

    /**
     * Returns whether debug mode is on. It is on if the property is set (even to an empty value) and is none of
     * {@code false, no, off, n, f, 0} in any case. The property is read once. Freshet behaves the same in either mode;
     * this is for software written for Netty 3 that asks.
     */
    public static boolean isDebugEnabled() {
        return ENABLED;
    }

    static boolean isOn(String value) {
        if (value == null) {
            return false;
        }
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "false", "no", "off", "n", "f", "0" -> false;
            default -> true;
        };
    }
}
