package org.freshet.channel.socket;

/** The version of the Internet Protocol that a datagram channel uses; its multicast groups must have the same. */
public enum InternetProtocolFamily {
    IPv4,
    IPv6
}
