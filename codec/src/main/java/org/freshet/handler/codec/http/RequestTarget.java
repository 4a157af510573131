package org.freshet.handler.codec.http;

/** Which form of a target goes with which method (RFC 9112 3.2), and what a host and port may look like. Stateless. */
final class RequestTarget {
    private RequestTarget() {}

    /** What is wrong with a target that does not begin with a slash, or that is of CONNECT; null if nothing. */
    static String problem(String method, String target) {
        if (method.equals("CONNECT")) {
            return isHostAndPort(target) ? null : "CONNECT without a host and a port";
        }
        if (target.equals("*")) {
            return method.equals("OPTIONS") ? null : "the target * with another method than OPTIONS";
        }
        return problemOfAbsolute(target);
    }

    private static String problemOfAbsolute(String target) {
        int colon = target.indexOf("://");
        if (colon <= 0 || !isScheme(target, colon)) {
            return "a target that is neither a path nor absolute";
        }
        int from = colon + "://".length();
        int to = from;
        while (to < target.length() && "/?#".indexOf(target.charAt(to)) < 0) {
            to++;
        }
        return isAuthority(target, from, to) && from < to ? null : "an absolute target without a valid host";
    }

    private static boolean isScheme(String target, int to) {
        for (int i = 0; i < to; i++) {
            char c = target.charAt(i);
            boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            if (!letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHostAndPort(String target) {
        int colon = target.lastIndexOf(':');
        return colon > 0
                && colon < target.length() - 1
                && target.charAt(colon - 1) != ':'
                && isAuthority(target, 0, target.length());
    }

    /** A host, and a port behind a colon if there is one. No user, since that hides where a request goes. */
    private static boolean isAuthority(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isHostChar(text.charAt(i))) {
                return false;
            }
        }
        int port;
        if (from < to && text.charAt(from) == '[') {
            int bracket = text.indexOf(']', from);
            if (bracket < 0 || bracket >= to) {
                return false;
            }
            port = bracket + 1;
        } else {
            int colon = text.indexOf(':', from);
            port = colon < 0 || colon >= to ? to : colon;
        }
        return port == to || text.charAt(port) == ':' && isPort(text, port + 1, to);
    }

    private static boolean isPort(String text, int from, int to) {
        int port = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            port = port * 10 + c - '0';
            if (c < '0' || c > '9' || port > 0xffff) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHostChar(char c) {
        return c > ' ' && c < 0x7f && ",@/#?\\\"<>^`{|}".indexOf(c) < 0;
    }

    /** Whether the text may be the value of {@code Host}; nothing at all may. */
    static boolean isHost(String value) {
        return isAuthority(value, 0, value.length());
    }
}
