package org.freshet.handler.ipfilter;

import java.net.Inet6Address;
import java.net.InetAddress;

/** A block of IPv6 addresses, created by {@link CIDR#newCIDR(String)}. */
public class CIDR6 extends CIDR {
    protected CIDR6(Inet6Address address, int cidrMask) {
        this.cidrMask = cidrMask;
        this.baseAddress = inetAddress(filled(address.getAddress(), cidrMask, false));
    }

    @Override
    public InetAddress getEndAddress() {
        return lastAddress();
    }

    @Override
    public int compareTo(CIDR other) {
        return compareBlocks(other);
    }

    @Override
    public boolean contains(InetAddress address) {
        return hasPrefix(address);
    }
}
