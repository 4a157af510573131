package org.freshet.microbench.compare;

/**
 * One thing that a user can choose on the command line, {@code --name value}.
 *
 * @param fallback the value when it is not given; null for a switch, which takes no value
 */
record Option(String name, String fallback, String help) {
    /** An option that is on or off. */
    public static Option toggle(String name, String help) {
        return new Option(name, null, help);
    }

    boolean isToggle() {
        return fallback == null;
    }
}
