package org.freshet.util;

/**
 * Holds threads or other resources that the garbage collector does not reclaim.
 *
 * <p>Release it when nothing uses it any more, and never from a thread that it owns: the thread would wait for itself.
 */
public interface ExternalResourceReleasable {
    /** Releases what the object holds, including what its constructor was given. Calling it again is allowed. */
    void releaseExternalResources();
}
