package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Allows or refuses a block of IPv4 addresses. Immutable. */
public class IpV4SubnetFilterRule extends IpV4Subnet implements IpFilterRule {
    private final boolean allow;

    /** Creates a rule for all IPv4 addresses. */
    public IpV4SubnetFilterRule(boolean allow) {
        this.allow = allow;
    }

    /** Creates a rule for a block; see {@link IpV4Subnet#IpV4Subnet(InetAddress, int)}. */
    public IpV4SubnetFilterRule(boolean allow, InetAddress inetAddress, int cidrNetMask) {
        super(inetAddress, cidrNetMask);
        this.allow = allow;
    }

    /** Creates a rule for a block; see {@link IpV4Subnet#IpV4Subnet(InetAddress, String)}. */
    public IpV4SubnetFilterRule(boolean allow, InetAddress inetAddress, String netMask) {
        super(inetAddress, netMask);
        this.allow = allow;
    }

    /** Creates a rule for a block; see {@link IpV4Subnet#IpV4Subnet(String)}. */
    public IpV4SubnetFilterRule(boolean allow, String netAddress) throws UnknownHostException {
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
        return super.equals(other) && ((IpV4SubnetFilterRule) other).allow == allow;
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + Boolean.hashCode(allow);
    }
}
