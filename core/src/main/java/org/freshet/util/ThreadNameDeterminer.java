package org.freshet.util;

public interface ThreadNameDeterminer {
    ThreadNameDeterminer PROPOSED = (current, proposed) -> proposed;

    ThreadNameDeterminer CURRENT = (current, proposed) -> null;

    String determineThreadName(String name, String name2) throws Exception;
}
