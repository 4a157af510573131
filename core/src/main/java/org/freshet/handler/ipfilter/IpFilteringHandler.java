package org.freshet.handler.ipfilter;

/** A handler that allows or refuses connections and notifies one listener. */
public interface IpFilteringHandler {
    /** Replaces the listener. This applies to connections decided from now on. */
    void setIpFilterListener(IpFilterListener listener);

    void removeIpFilterListener();
}
