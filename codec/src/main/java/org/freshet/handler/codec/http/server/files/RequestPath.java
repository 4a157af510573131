package org.freshet.handler.codec.http.server.files;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.freshet.handler.codec.http.internal.PercentDecoder;

/**
 * The names in a request's path. Each is decoded once, as UTF-8, and leads exactly one step down: encoded separators,
 * {@code ..}, control characters and names with a special meaning to the system are refused. Nothing is decoded twice.
 *
 * <p>Immutable; any thread may use it.
 */
final class RequestPath {
    /** Determines the response that a path gets. */
    enum Verdict {
        ACCEPTED,
        /** 400: no client sends such a path by mistake. */
        MALFORMED,
        /** 404: no file can have such a path. */
        NOWHERE
    }

    private static final RequestPath MALFORMED = new RequestPath(Verdict.MALFORMED, List.of(), "/", false);
    private static final RequestPath NOWHERE = new RequestPath(Verdict.NOWHERE, List.of(), "/", false);

    private static final Set<String> WINDOWS_DEVICES =
            Set.of("con", "prn", "aux", "nul", "conin$", "conout$", "clock$");

    final Verdict verdict;

    /** Decoded, without the empty name after a trailing slash. */
    final List<String> names;

    /** As it was sent, without the query; begins with one slash. */
    final String raw;

    /** The path ends with a slash. */
    final boolean ofDirectory;

    private RequestPath(Verdict verdict, List<String> names, String raw, boolean ofDirectory) {
        this.verdict = verdict;
        this.names = names;
        this.raw = raw;
        this.ofDirectory = ofDirectory;
    }

    /**
     * Returns the path of a target in origin or absolute form, as it was sent: starting at its first slash, without
     * query and fragment. Empty for {@code *}, and for a host and port.
     */
    static String rawPath(String target) {
        int from = 0;
        if (!target.startsWith("/")) {
            int authority = target.indexOf("://");
            if (authority < 0) {
                return "";
            }
            from = indexOfAny(target, "/?#", authority + "://".length());
        }
        int to = indexOfAny(target, "?#", from);
        return from == to ? "/" : target.substring(from, to);
    }

    /** The query of a target, including its question mark; empty if the target has no query. */
    static String rawQuery(String target) {
        int to = indexOfAny(target, "#", 0);
        int from = target.indexOf('?');
        return from < 0 || from > to ? "" : target.substring(from, to);
    }

    private static int indexOfAny(String text, String chars, int from) {
        int at = from;
        while (at < text.length() && chars.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /**
     * Splits a path into names.
     *
     * @param raw begins with a slash
     * @param windows whether the file system treats names like Windows
     */
    static RequestPath parse(String raw, boolean windows) {
        List<String> names = new ArrayList<>();
        for (int from = 1; from < raw.length(); ) {
            int to = indexOfAny(raw, "/", from);
            String name = decode(raw, from, to);
            if (name == null || isHostile(name)) {
                return MALFORMED;
            }
            if (name.isEmpty() || name.equals(".") || windows && isSpecialOnWindows(name)) {
                return NOWHERE;
            }
            names.add(name);
            from = to + 1;
        }
        return new RequestPath(Verdict.ACCEPTED, names, raw, raw.endsWith("/"));
    }

    /** Null if an escape is cut off or not hexadecimal, or if the bytes are not UTF-8. */
    private static String decode(String raw, int from, int to) {
        byte[] bytes = new byte[to - from];
        int length = 0;
        for (int at = from; at < to; at++) {
            int c = raw.charAt(at);
            if (c == '%') {
                int high = at + 2 < to ? PercentDecoder.hexDigit(raw.charAt(at + 1)) : -1;
                int low = at + 2 < to ? PercentDecoder.hexDigit(raw.charAt(at + 2)) : -1;
                if ((high | low) < 0) {
                    return null;
                }
                c = high << 4 | low;
                at += 2;
            }
            if (c > 0xff) {
                return null;
            }
            bytes[length++] = (byte) c;
        }
        try {
            ByteBuffer encoded = ByteBuffer.wrap(bytes, 0, length);
            return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The path was split at separators, so any that are left were encoded. A drive letter would start a new path. */
    private static boolean isHostile(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '/' || c == '\\' || Character.isISOControl(c)) {
                return true;
            }
        }
        boolean drive = name.length() >= 2
                && name.charAt(1) == ':'
                && (name.charAt(0) | 0x20) >= 'a'
                && (name.charAt(0) | 0x20) <= 'z';
        return drive || name.equals("..");
    }

    /**
     * Streams ({@code a:b}), devices, short names ({@code PROGRA~1}), and trailing characters that Windows drops
     * silently.
     */
    private static boolean isSpecialOnWindows(String name) {
        char last = name.charAt(name.length() - 1);
        if (last == '.' || last == ' ' || indexOfAny(name, ":*?\"<>|", 0) < name.length()) {
            return true;
        }
        int tilde = name.indexOf('~');
        if (tilde >= 0 && tilde + 1 < name.length() && Character.isDigit(name.charAt(tilde + 1))) {
            return true;
        }
        String stem = name.substring(0, indexOfAny(name, ".", 0)).trim().toLowerCase(Locale.ROOT);
        return WINDOWS_DEVICES.contains(stem) || stem.matches("(com|lpt)[0-9\u00b9\u00b2\u00b3]");
    }

    /** Whether a name begins with a dot, except for a leading {@code /.well-known/} (RFC 8615). */
    boolean isHidden() {
        int from = !names.isEmpty() && names.get(0).equals(".well-known") ? 1 : 0;
        return names.subList(from, names.size()).stream().anyMatch(name -> name.startsWith("."));
    }
}
