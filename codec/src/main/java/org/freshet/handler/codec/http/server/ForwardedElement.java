package org.freshet.handler.codec.http.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.RequestTarget;
import org.freshet.util.NetUtil;

/**
 * The part of a {@code Forwarded} header that one proxy has set (RFC 7239 4). Parsed strictly, except that escapes in
 * quotes are refused, since no value needs them. Stateless.
 *
 * @param node the value of {@code for}; null if missing
 * @param proto the value of {@code proto}; null if missing
 * @param host the value of {@code host}; null if missing
 */
record ForwardedElement(String node, String proto, String host) {
    /** Null if the text is null or malformed. */
    static ForwardedElement parse(String text) {
        String node = null;
        String proto = null;
        String host = null;
        String by = null;
        int at = 0;
        while (text != null && at < text.length()) {
            int equals = text.indexOf('=', at);
            int end = equals < 0 ? -1 : endOfValue(text, equals + 1);
            if (end < 0 || !HeaderSyntax.isToken(text.substring(at, equals))) {
                return null;
            }
            String value = text.substring(equals + 1, end).replace("\"", "");
            String before = null;
            switch (text.substring(at, equals).toLowerCase(Locale.ROOT)) {
                case "for" -> {
                    before = node;
                    node = value;
                }
                case "proto" -> {
                    before = proto;
                    proto = value;
                }
                case "host" -> {
                    before = host;
                    host = value;
                }
                case "by" -> {
                    before = by;
                    by = value;
                }
                default -> {} // an extension
            }
            if (before != null) {
                return null;
            }
            at = end + 1; // after a semicolon
        }
        return at == 0 ? null : new ForwardedElement(node, proto, host);
    }

    /** The end of a token or quoted text, if a semicolon or nothing follows; otherwise -1. */
    private static int endOfValue(String text, int from) {
        int end = from;
        if (from < text.length() && text.charAt(from) == '"') {
            end = text.indexOf('"', from + 1) + 1;
            if (end == 0 || text.substring(from, end).indexOf('\\') >= 0) {
                return -1;
            }
        } else {
            while (end < text.length() && HeaderSyntax.isTokenChar(text.charAt(end))) {
                end++;
            }
        }
        return end > from && (end == text.length() || text.charAt(end) == ';') ? end : -1;
    }

    /**
     * Parses an address, and the port if there is one. Does no name lookup.
     *
     * @param isLoose whether an IPv6 address without brackets is accepted
     * @return null if the text is null, malformed, or hides the address ({@code unknown}, {@code _name})
     */
    static InetSocketAddress address(String text, boolean isLoose) {
        if (text == null || text.indexOf('%') >= 0) {
            return null;
        }
        boolean isBare = isLoose && text.indexOf(':') != text.lastIndexOf(':') && !text.startsWith("[");
        int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
        int colon = isBare ? -1 : text.indexOf(':', bracket < 0 ? 0 : bracket);
        String host = colon < 0 ? text : text.substring(0, colon);
        boolean isV6 = host.indexOf(':') >= 0;
        byte[] ip = isV6 && !isBare && bracket < 0 ? null : NetUtil.createByteArrayFromIpAddressString(host);
        int port = colon < 0 ? 0 : port(text.substring(colon + 1));
        if (ip == null || port < 0) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(ip), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only thrown for another number of bytes
        }
    }

    /** 0 if the port is hidden, -1 if it is malformed. */
    private static int port(String text) {
        if (text.startsWith("_")) {
            return HeaderSyntax.isToken(text) ? 0 : -1;
        }
        boolean isNumber = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int port = isNumber ? Integer.parseInt(text) : -1;
        return port <= 0xffff ? port : -1;
    }

    static String scheme(String text, String otherwise) {
        if (text == null) {
            return otherwise;
        }
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.equals("http") || lower.equals("https") ? lower : otherwise;
    }

    static String authority(String text, String otherwise) {
        return text != null && RequestTarget.isHost(text) ? text : otherwise;
    }
}
