package org.freshet.bootstrap;

import java.net.InetAddress;
import java.util.List;
import org.freshet.handler.ipfilter.CIDR;
import org.freshet.internal.accept.AcceptLimits;

/** The networks with limits of their own in an {@link AcceptGuard}. Immutable. */
record NetworkRules(List<CIDR> exempt, List<Limit> limits) implements AcceptLimits.AddressRule {
    /** For each address of a network. */
    record Limit(CIDR network, int perAddress) {}

    @Override
    public int limitOf(InetAddress peer, int common) {
        for (CIDR network : exempt) {
            if (network.contains(peer)) {
                return EXEMPT;
            }
        }
        for (Limit limit : limits) { // the first one that matches counts
            if (limit.network.contains(peer)) {
                return limit.perAddress;
            }
        }
        return common;
    }
}
