package org.freshet.util;

/** Decides the names of Freshet's threads. Called on the thread in question, before it starts to work. */
public interface ThreadNameDeterminer {
    /** Takes the name that Freshet proposes. */
    ThreadNameDeterminer PROPOSED = (currentName, proposedName) -> proposedName;

    /** Leaves the name that the thread factory gave. */
    ThreadNameDeterminer CURRENT = (currentName, proposedName) -> null;

    /**
     * Chooses a name. An exception is logged and leaves the thread's name as it is.
     *
     * @param currentThreadName the thread's present name
     * @param proposedThreadName Freshet's name for it
     * @return the name to use, or null to keep the current one
     */
    String determineThreadName(String currentThreadName, String proposedThreadName) throws Exception;
}
