package org.freshet.internal;

/** A message that keeps a file or the like open until it is closed. */
public interface OpenInput {
    /** Called once: when all of it was sent, or when it can't be. */
    void close() throws Exception;
}
