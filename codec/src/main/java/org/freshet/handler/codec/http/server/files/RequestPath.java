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
 * The names that the path of a request's target consists of. Each is decoded once, as UTF-8, and none can lead anywhere but
 * one step down: an encoded separator, {@code ..}, a control character or what a system gives a meaning of its own is
 * refused, and nothing is decoded twice.
 *
 * <p>Immutable; any thread.
 */
final class RequestPath {
    /** What kind of answer a path deserves. */
    enum Verdict {
        ACCEPTED,
        /** 400: no client sends this by mistake. */
        MALFORMED,
        /** 404: no file is ever at such a path. */
        NOWHERE
    }

    private static final RequestPath MALFORMED = new RequestPath(Verdict.MALFORMED, List.of(), "/", false);
    private static final RequestPath NOWHERE = new RequestPath(Verdict.NOWHERE, List.of(), "/", false);

    private static final Set<String> WINDOWS_DEVICES =
            Set.of("con", "prn", "aux", "nul", "conin$", "conout$", "clock$");

    final Verdict verdict;

    /** Decoded, without the empty one that a slash at the end leaves. */
    final List<String> names;

    /** As it was sent, without the query; begins with one slash. */
    final String raw;

    /** It ends with a slash. */
    final boolean ofDirectory;

    private RequestPath(Verdict verdict, List<String> names, String raw, boolean ofDirectory) {
        this.verdict = verdict;
        this.names = names;
        this.raw = raw;
        this.ofDirectory = ofDirectory;
    }

    /**
     * The path of a target in origin or absolute form, as it was sent: from its first slash, without query and fragment.
     * Empty for {@code *} and for a host and port.
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

    /** The query of a target with its question mark; empty if there is none. */
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
     * Takes a path apart.
     *
     * @param raw begins with a slash
     * @param windows whether the file system gives names the meanings that Windows gives them
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

    /** Separators can only have been encoded, since the path was split at them; a drive letter would begin a path anew. */
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

    /** Streams ({@code a:b}), devices, short names ({@code PROGRA~1}), and ends that Windows drops silently. */
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

    /** Whether one of the names begins with a dot, but for the {@code /.well-known/} of RFC 8615. */
    boolean isHidden() {
        int from = !names.isEmpty() && names.get(0).equals(".well-known") ? 1 : 0;
        return names.subList(from, names.size()).stream().anyMatch(name -> name.startsWith("."));
    }
}
