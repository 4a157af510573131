package org.freshet.bootstrap;

import java.net.InetAddress;
import java.util.List;
import org.freshet.handler.ipfilter.CIDR;
import org.freshet.internal.accept.AcceptLimits;

/** The networks of an {@link AcceptGuard} that have their own limits or none. Immutable. */
record NetworkRules(List<CIDR> exempt, List<Limit> limits) implements AcceptLimits.AddressRule {
    /** The maximum number of connections for each address of a network. */
    record Limit(CIDR network, int perAddress) {}

    @Override
    public int limitOf(InetAddress peer, int common) {
        for (CIDR network : exempt) {
            if (network.contains(peer)) {
                return EXEMPT;
            }
        }
        for (Limit limit : limits) { // the first match applies
            if (limit.network.contains(peer)) {
                return limit.perAddress;
            }
        }
        return common;
    }
}
