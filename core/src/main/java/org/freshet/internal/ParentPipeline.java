package org.freshet.internal;

/** The pipeline of a channel that has children. */
public interface ParentPipeline {
    /**
     * Whether there are handlers, and all of them would only pass on the close of a child. Any thread may call this; the answer is valid at
     * the time of the call.
     */
    boolean ignoresChildCloses();
}
