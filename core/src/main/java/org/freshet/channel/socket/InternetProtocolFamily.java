package org.freshet.channel.socket;

public enum InternetProtocolFamily {
    IPv4,
    IPv6
}
