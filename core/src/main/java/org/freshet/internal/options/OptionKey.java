package org.freshet.internal.options;

/** An option as used by option tables. Any thread may call any method. */
public interface OptionKey<T> {
    String key();

    /** Checks a user's value and converts it to the option's type. */
    T convert(Object value);
}
