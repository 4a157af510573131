package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Allows or refuses a block of addresses. Immutable. */
public class IpSubnetFilterRule extends IpSubnet implements IpFilterRule {
    private final boolean allow;

    /** Creates a rule for all addresses, IPv4 and IPv6. */
    public IpSubnetFilterRule(boolean allow) {
        this.allow = allow;
    }

    /** Creates a rule for a block; see {@link IpSubnet#IpSubnet(InetAddress, int)}. */
    public IpSubnetFilterRule(boolean allow, InetAddress inetAddress, int cidrNetMask) throws UnknownHostException {
        super(inetAddress, cidrNetMask);
        this.allow = allow;
    }

    /** Creates a rule for a block; see {@link IpSubnet#IpSubnet(InetAddress, String)}. */
    public IpSubnetFilterRule(boolean allow, InetAddress inetAddress, String netMask) throws UnknownHostException {
        super(inetAddress, netMask);
        this.allow = allow;
    }

    /** Creates a rule for a block; see {@link IpSubnet#IpSubnet(String)}. */
    public IpSubnetFilterRule(boolean allow, String netAddress) throws UnknownHostException {
        super(netAddress);
        this.allow = allow;
    }

    @Override
    public boolean isAllowRule() {
        return allow;
    }

    @Override
    public boolean isDenyRule() {
        return !allow;
    }

    /** Returns whether the other makes the same decision for the same addresses. */
    @Override
    public boolean equals(Object other) {
        return super.equals(other) && ((IpSubnetFilterRule) other).allow == allow;
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + Boolean.hashCode(allow);
    }
}
