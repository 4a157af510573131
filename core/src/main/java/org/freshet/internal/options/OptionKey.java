package org.freshet.internal.options;

/** An option, as a table of options knows it. Any thread. */
public interface OptionKey<T> {
    String key();

    /** Checks a user's value and turns it into the option's type. */
    T convert(Object value);
}
