package org.freshet.microbench.compare;

/**
 * One command line option, {@code --name value}.
 *
 * @param fallback the default value; null for a switch, which takes no value
 * @param quick the default value with {@code --quick}
 */
record Option(String name, String fallback, String help, String quick) {
    /** An option that {@code --quick} does not change. */
    Option(String name, String fallback, String help) {
        this(name, fallback, help, fallback);
    }

    /** An option with a numeric value. */
    static Option number(String name, int fallback, int quick, String help) {
        return new Option(name, Integer.toString(fallback), help, Integer.toString(quick));
    }

    /** An option that is on or off. */
    public static Option toggle(String name, String help) {
        return new Option(name, null, help);
    }

    boolean isToggle() {
        return fallback == null;
    }
}
