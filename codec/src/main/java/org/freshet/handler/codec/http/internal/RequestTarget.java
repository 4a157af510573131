package org.freshet.handler.codec.http.internal;

import java.nio.charset.StandardCharsets;

/**
 * Checks the form of a target for its method (RFC 9112 3.2), and the syntax of host and port. Stateless; any thread.
 */
public final class RequestTarget {
    private static final boolean[] HOST_CHARS = new boolean[128];

    /** Characters allowed in names and addresses without a port, by a byte's unsigned value. */
    private static final boolean[] NAME_CHARS = new boolean[256];

    static {
        for (char c = '!'; c < 0x7f; c++) {
            HOST_CHARS[c] = ",@/#?\\\"<>^`{|}".indexOf(c) < 0;
            NAME_CHARS[c] = HOST_CHARS[c] && "[:]".indexOf(c) < 0;
        }
    }

    private RequestTarget() {}

    /**
     * Describes what is wrong with a target that does not begin with a slash, or is that of CONNECT; null if it is
     * valid.
     */
    public static String problem(String method, String target) {
        if (method.equals("CONNECT")) {
            return isHostAndPort(target) ? null : "CONNECT without a host and a port";
        }
        if (target.equals("*")) {
            return method.equals("OPTIONS") ? null : "the target * with another method than OPTIONS";
        }
        return problemOfAbsolute(target);
    }

    private static String problemOfAbsolute(String target) {
        int from = startOfAuthority(target);
        if (from < 0) {
            return "a target that is neither a path nor absolute";
        }
        int to = endOfAuthority(target, from);
        return isAuthority(target, from, to) && from < to ? null : "an absolute target without a valid host";
    }

    /** The index after the scheme of an absolute target; -1 if the target is not absolute. */
    public static int startOfAuthority(String target) {
        int colon = target.startsWith("/") ? -1 : target.indexOf("://");
        return colon > 0 && isScheme(target, colon) ? colon + "://".length() : -1;
    }

    public static int endOfAuthority(String target, int from) {
        int to = from;
        while (to < target.length() && "/?".indexOf(target.charAt(to)) < 0) {
            to++;
        }
        return to;
    }

    /** Whether the text is a scheme such as {@code https} (RFC 3986 3.1). */
    public static boolean isScheme(String text) {
        return !text.isEmpty() && isScheme(text, text.length());
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

    /**
     * Whether the text is a host that is allowed in a request: not empty, and valid for
     * {@link #isHost(byte[], int, int)}.
     */
    public static boolean isHost(String text) {
        int at = 0;
        while (at < text.length() && text.charAt(at) < 0x100 && NAME_CHARS[text.charAt(at)]) {
            at++;
        }
        return at > 0 && at == text.length() || !text.isEmpty() && isAuthority(text, 0, text.length());
    }

    private static boolean isAuthority(String text, int from, int to) {
        byte[] bytes = text.substring(from, to).getBytes(StandardCharsets.ISO_8859_1);
        return isHost(bytes, 0, bytes.length);
    }

    /**
     * Whether the bytes are a host, optionally followed by a colon and a port. Also true if they are empty. A user name
     * is not allowed, since that hides where a request goes.
     */
    public static boolean isHost(byte[] array, int from, int to) {
        int end = from;
        while (end < to && NAME_CHARS[array[end] & 0xff]) {
            end++;
        }
        return end == to || (array[end] == ':' ? isPort(array, end + 1, to) : isBracketedHost(array, from, to));
    }

    private static boolean isBracketedHost(byte[] array, int from, int to) {
        int colon = to;
        int bracket = -1;
        for (int i = to - 1; i >= from; i--) {
            byte b = array[i];
            if (b < 0 || !HOST_CHARS[b]) {
                return false;
            }
            if (b == ':') {
                colon = i;
            } else if (b == ']') {
                bracket = i;
            }
        }
        if (from < to && array[from] == '[') {
            return bracket >= 0 && (bracket + 1 == to || array[bracket + 1] == ':' && isPort(array, bracket + 2, to));
        }
        return colon == to || isPort(array, colon + 1, to);
    }

    private static boolean isPort(byte[] array, int from, int to) {
        int port = 0;
        for (int i = from; i < to; i++) {
            int digit = array[i] - '0';
            port = port * 10 + digit;
            if (digit < 0 || digit > 9 || port > 0xffff) {
                return false;
            }
        }
        return true;
    }
}
