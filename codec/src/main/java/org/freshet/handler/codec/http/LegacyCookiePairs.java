package org.freshet.handler.codec.http;

import java.util.Objects;

/**
 * Iterates over the pairs of a cookie header of RFC 2109 or RFC 2965. Values may be quoted; in quotes, semicolons are
 * part of the value and a backslash escapes the next character. A leading {@code $} is removed from names.
 *
 * <p>Belongs to one thread.
 */
final class LegacyCookiePairs {
    private final String header;
    private int at;
    private String name;
    private String value;

    LegacyCookiePairs(String header) {
        this.header = Objects.requireNonNull(header, "header");
    }

    /** Advances to the next pair. Returns false if there are no more. */
    boolean advance() {
        while (at < header.length() && isBetween(header.charAt(at))) {
            at++;
        }
        if (at < header.length() && header.charAt(at) == '$') {
            at++;
        }
        if (at == header.length()) {
            return false;
        }
        int start = at;
        while (at < header.length() && header.charAt(at) != ';' && header.charAt(at) != '=') {
            at++;
        }
        name = header.substring(start, at).trim();
        value = at < header.length() && header.charAt(at) == '=' ? readValue() : "";
        return true;
    }

    private String readValue() {
        at++;
        boolean quoted = at < header.length() && (header.charAt(at) == '"' || header.charAt(at) == '\'');
        return quoted ? readQuoted(header.charAt(at++)) : readPlain();
    }

    private String readPlain() {
        int end = header.indexOf(';', at);
        String plain = header.substring(at, end < 0 ? header.length() : end);
        at += plain.length();
        return plain;
    }

    /** Reads up to the same quote, or to the header's end. */
    private String readQuoted(char quote) {
        StringBuilder text = new StringBuilder();
        while (at < header.length()) {
            char c = header.charAt(at++);
            if (c == quote) {
                break;
            }
            text.append(c == '\\' && at < header.length() ? header.charAt(at++) : c);
        }
        return text.toString();
    }

    private static boolean isBetween(char c) {
        return c <= ' ' || c == ';' || c == ',';
    }

    String name() {
        return name;
    }

    String value() {
        return value;
    }
}
