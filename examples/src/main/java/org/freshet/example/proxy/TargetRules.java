package org.freshet.example.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.handler.ipfilter.IpSubnet;

/**
 * The targets that the proxy connects to. Anyone who can reach a proxy can reach everything the proxy can. So by
 * default it refuses targets on its own machine and in private networks, where servers often require no password.
 */
enum TargetRules {
    /** Public Internet addresses. */
    PUBLIC,

    /** Every address. Use it only if you are the only one who can connect to the proxy. */
    ANY;

    /** Special ranges that {@link InetAddress} does not recognize. */
    private static final List<IpSubnet> NOT_PUBLIC = Stream.of(
                    "0.0.0.0/8",
                    "100.64.0.0/10", // shared by a provider's customers
                    "192.0.0.0/24",
                    "198.18.0.0/15", // benchmarks
                    "240.0.0.0/4",
                    "fc00::/7", // private
                    "64:ff9b::/96", // contains an IPv4 address, of any kind
                    "2002::/16") // the same
            .map(TargetRules::subnet)
            .toList();

    private static IpSubnet subnet(String text) {
        try {
            return new IpSubnet(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(text, e);
        }
    }

    /** The target is not allowed. */
    static final class ForbiddenTargetException extends IOException {
        private static final long serialVersionUID = 1L;

        ForbiddenTargetException(String message) {
            super(message);
        }
    }

    /**
     * Looks up the host, which may block. Connect to the returned address, the one that was checked: the name may
     * resolve to another one a moment later.
     *
     * @param host a name or an address
     */
    InetSocketAddress resolve(String host, int port) throws IOException {
        InetAddress[] addresses = InetAddress.getAllByName(host);
        for (InetAddress address : addresses) {
            if (this == PUBLIC && !isPublic(address)) {
                throw new ForbiddenTargetException("not a public address: " + address);
            }
        }
        return new InetSocketAddress(addresses[0], port);
    }

    static boolean isPublic(InetAddress address) {
        return !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isSiteLocalAddress()
                && !address.isMulticastAddress()
                && NOT_PUBLIC.stream().noneMatch(subnet -> subnet.contains(address));
    }
}
