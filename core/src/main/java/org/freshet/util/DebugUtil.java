package org.freshet.util;

import java.util.Locale;

/** Whether this JVM was started in debug mode, by the system property {@code org.freshet.debug}. Any thread may ask. */
public final class DebugUtil {
    private static final boolean ENABLED = isOn(System.getProperty("org.freshet.debug"));

    private DebugUtil() {}

    /**
     * Whether debug mode is on: the property is set, also to nothing, and is none of {@code false, no, off, n, f, 0} in any case.
     * It is read once. Freshet itself behaves alike in either mode; this is for software written for Netty 3 that asks.
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
