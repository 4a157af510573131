package org.freshet.internal.options;

import java.util.Map;

/**
 * Implemented by configs of server channels that know what the channels they accept will understand, so that a wrong option is
 * found when the server is bound or the option is changed, not with each connection.
 */
public interface ChildOptions {
    /**
     * Checks options as an accepted channel would on setting them.
     *
     * @param options values by key, without {@code child.}
     * @throws IllegalArgumentException when it would refuse a value, or a key with strict options; else an unknown key is reported
     */
    void checkChildOptions(Map<String, Object> options);
}
