package org.freshet.testkit;

/** Texts for failure messages. */
final class Shown {
    private Shown() {}

    /** Escapes control characters, which terminals act on and XML reports can't contain. */
    static String of(String text) {
        StringBuilder shown = new StringBuilder();
        for (char c : text.toCharArray()) {
            switch (c) {
                case '\r' -> shown.append("\\r");
                case '\n' -> shown.append("\\n");
                case '\t' -> shown.append("\\t");
                default -> shown.append(Character.isISOControl(c) ? String.format("\\x%02x", (int) c) : c);
            }
        }
        return shown.toString();
    }
}
