package org.freshet.util;

/** Decides the names of Freshet's threads. Called on the thread being named, before it starts to work. */
public interface ThreadNameDeterminer {
    /** Uses the name Freshet proposes. */
    ThreadNameDeterminer PROPOSED = (currentName, proposedName) -> proposedName;

    /** Keeps the name given by the thread factory. */
    ThreadNameDeterminer CURRENT = (currentName, proposedName) -> null;

    /**
     * Chooses a name. If it throws, the exception is logged and the thread keeps its name.
     *
     * @param currentThreadName the thread's current name
     * @param proposedThreadName the name Freshet proposes
     * @return the name to use, or null to keep the current one
     */
    String determineThreadName(String currentThreadName, String proposedThreadName) throws Exception;
}
