package org.freshet.internal.transport;

/** A server channel that can be told which connections to take. */
public interface GuardedServer {
    /** Before the server is bound. */
    void setAdmission(Admission admission);
}
