package org.freshet.handler.ipfilter;

import java.net.Inet4Address;
import java.net.InetAddress;

/** A block of IPv4 addresses, created by {@link CIDR#newCIDR(String)}. */
public class CIDR4 extends CIDR {
    protected CIDR4(Inet4Address address, int cidrMask) {
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
