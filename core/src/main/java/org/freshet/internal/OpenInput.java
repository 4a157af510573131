package org.freshet.internal;

/** A message that keeps a resource, such as a file, open until it is closed. */
public interface OpenInput {
    /** Called once: when it was sent completely, or when it can't be. */
    void close() throws Exception;
}
