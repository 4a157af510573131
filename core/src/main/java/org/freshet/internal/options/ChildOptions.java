package org.freshet.internal.options;

import java.util.Map;

/**
 * Implemented by server channel configs that know which options accepted channels support. So a wrong option is found when the server is
 * bound or the option is changed, and not with each connection.
 */
public interface ChildOptions {
    /**
     * Checks options as an accepted channel would when they are set.
     *
     * @param options values by key, without {@code child.}
     * @throws IllegalArgumentException if an accepted channel would refuse a value or, with strict options, a key; otherwise an unknown key
     *     is logged
     */
    void checkChildOptions(Map<String, Object> options);
}
