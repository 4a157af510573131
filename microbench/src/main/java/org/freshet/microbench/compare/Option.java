package org.freshet.microbench.compare;

/**
 * One thing that a user can choose on the command line, {@code --name value}.
 *
 * @param fallback the value when it is not given; null for a switch, which takes no value
 * @param quick the value when it is not given but {@code --quick} is
 */
record Option(String name, String fallback, String help, String quick) {
    /** An option that {@code --quick} leaves alone. */
    Option(String name, String fallback, String help) {
        this(name, fallback, help, fallback);
    }

    /** An option with a number for its value. */
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
