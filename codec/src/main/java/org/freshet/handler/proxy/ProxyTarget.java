package org.freshet.handler.proxy;

import java.net.IDN;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.freshet.util.NetUtil;

/**
 * A target in the form for a proxy: a name as in the DNS, or an address. Never looks anything up.
 *
 * @param host a name, or an address without brackets and without a zone, which would mean nothing to the proxy
 * @param kind the kind of host
 */
record ProxyTarget(String host, Kind kind, int port) {
    enum Kind {
        NAME,
        IPV4,
        IPV6
    }

    private static final int MAX_NAME_LENGTH = 255;

    /**
     * The address if there is one, else the name.
     *
     * @throws IllegalArgumentException if the name is invalid, or the port is 0
     */
    static ProxyTarget of(InetSocketAddress target) {
        if (target.getPort() == 0) {
            throw new IllegalArgumentException("the target's port is 0");
        }
        if (!target.isUnresolved()) {
            return of(target.getAddress(), target.getPort());
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(target.getHostString());
        if (address != null) {
            try {
                return of(InetAddress.getByAddress(address), target.getPort());
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("the address has neither 4 nor 16 bytes: " + address.length, e);
            }
        }
        return new ProxyTarget(checkName(target.getHostString()), Kind.NAME, target.getPort());
    }

    private static ProxyTarget of(InetAddress address, int port) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String host = zone < 0 ? text : text.substring(0, zone);
        return new ProxyTarget(host, address instanceof Inet4Address ? Kind.IPV4 : Kind.IPV6, port);
    }

    /** Allows letters, digits, and the other characters of host names in practice: nothing that could split a request. */
    private static String checkName(String name) {
        String ascii = IDN.toASCII(name);
        boolean valid = !ascii.isEmpty() && ascii.chars().allMatch(ProxyTarget::isOfName);
        if (!valid || ascii.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "the target's name must have 1 to " + MAX_NAME_LENGTH + " letters, digits, '-', '_' and '.'");
        }
        return ascii;
    }

    private static boolean isOfName(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.';
    }

    /** The authority as in a URI. */
    String authority() {
        return (kind == Kind.IPV6 ? "[" + host + "]" : host) + ":" + port;
    }
}
