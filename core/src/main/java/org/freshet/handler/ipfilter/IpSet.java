package org.freshet.handler.ipfilter;

import java.net.InetAddress;

/** A set of IP addresses. Any thread may use it. */
public interface IpSet {
    boolean contains(InetAddress address);
}
