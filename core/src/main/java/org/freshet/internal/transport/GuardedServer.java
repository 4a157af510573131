package org.freshet.internal.transport;

/** A server channel whose connections can be bounded. */
public interface GuardedServer {
    ServerLimits limits();
}
