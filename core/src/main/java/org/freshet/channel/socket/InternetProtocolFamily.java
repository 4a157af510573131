package org.freshet.channel.socket;

/** The version of the Internet Protocol that a datagram channel speaks; a multicast group must be of the same. */
public enum InternetProtocolFamily {
    IPv4,
    IPv6
}
