package org.freshet.example.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.handler.ipfilter.IpSubnet;

/**
 * Where the proxy connects to. Whoever reaches a proxy reaches what the proxy reaches, so that by default it stays away from its
 * own machine and from private networks, where servers often ask nobody for a password.
 */
enum TargetRules {
    /** Addresses that anybody on the Internet can reach. */
    PUBLIC,

    /** Every address. Only if nobody but you can connect to the proxy. */
    ANY;

    /** Beside those that {@link InetAddress} tells. */
    private static final List<IpSubnet> NOT_PUBLIC = Stream.of(
                    "0.0.0.0/8",
                    "100.64.0.0/10", // shared by the customers of a provider
                    "192.0.0.0/24",
                    "198.18.0.0/15", // benchmarks
                    "240.0.0.0/4",
                    "fc00::/7", // private
                    "64:ff9b::/96", // an IPv4 address within, of any kind
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

    /** A target is not allowed. */
    static final class ForbiddenTargetException extends IOException {
        private static final long serialVersionUID = 1L;

        ForbiddenTargetException(String message) {
            super(message);
        }
    }

    /**
     * Looks the host up, which may block. The address that was checked is the one to connect to: the name may have another one
     * a moment later.
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
