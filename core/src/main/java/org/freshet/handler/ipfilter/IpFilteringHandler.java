package org.freshet.handler.ipfilter;

/** A handler that lets connections in or refuses them, and tells one listener. */
public interface IpFilteringHandler {
    /** Replaces the listener; holds for connections decided from now on. */
    void setIpFilterListener(IpFilterListener listener);

    void removeIpFilterListener();
}
