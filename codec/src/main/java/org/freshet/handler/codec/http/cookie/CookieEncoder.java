package org.freshet.handler.codec.http.cookie;

import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Common part of server and client encoders: checks text before it goes into a header. Stateless; any thread. */
public abstract class CookieEncoder {
    private final boolean strict;

    /** @param strict whether names and values must conform to RFC 6265 4.1.1 */
    protected CookieEncoder(boolean strict) {
        this.strict = strict;
    }

    final boolean isStrict() {
        return strict;
    }

    /**
     * Checks a cookie before it is written. A lax encoder, too, refuses characters that would end the header's line.
     *
     * @throws IllegalArgumentException if the name is not a token, a character of the value is not allowed, or one of
     *     the quotes around it is missing
     */
    protected void validateCookie(String name, String value) {
        if (!strict) {
            check(name, "name", CookieSyntax.fitsIntoLine(name, 0, name.length()) ? -1 : 0);
            check(value, "value", CookieSyntax.fitsIntoLine(value, 0, value.length()) ? -1 : 0);
            return;
        }
        check(name, "name", name.isEmpty() ? 0 : CookieSyntax.firstBadInName(name, 0, name.length()));
        boolean opened = value.startsWith("\"");
        boolean closed = value.endsWith("\"");
        if (opened != closed || opened && value.length() == 1) {
            throw new IllegalArgumentException(
                    "one of the quotes around a cookie's value is missing: " + HeaderSyntax.printable(value));
        }
        int quote = opened ? 1 : 0;
        check(value, "value", CookieSyntax.firstBadInValue(value, quote, value.length() - quote));
    }

    private static void check(String text, String what, int bad) {
        if (bad >= 0) {
            throw new IllegalArgumentException("a cookie's " + what + " has a character that is not allowed, at index "
                    + bad + " of " + HeaderSyntax.printable(text));
        }
    }

    /** Appends the name and value, in quotes if the cookie asks for them. */
    final void appendPair(StringBuilder header, Cookie cookie) {
        validateCookie(cookie.name(), cookie.value());
        header.append(cookie.name()).append('=');
        if (cookie.wrap()) {
            header.append('"').append(cookie.value()).append('"');
        } else {
            header.append(cookie.value());
        }
    }
}
