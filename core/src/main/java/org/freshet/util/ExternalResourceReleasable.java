package org.freshet.util;

/**
 * Holds threads or other resources that the garbage collector does not reclaim.
 *
 * <p>Call when nothing uses the object any more, and not from a thread that the object owns: such a call would wait
 * for itself.
 */
public interface ExternalResourceReleasable {
    /** Releases what the object holds, including what it was given at construction. More than one call is allowed. */
    void releaseExternalResources();
}
