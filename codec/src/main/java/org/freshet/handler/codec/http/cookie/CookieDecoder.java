package org.freshet.handler.codec.http.cookie;

import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Common part of server and client decoders: creates a cookie from a pair if its octets are allowed. Stateless; any
 * thread.
 */
public abstract class CookieDecoder {
    private final InternalLogger logger = InternalLoggerFactory.getInstance(getClass());
    private final boolean strict;

    /** @param strict whether only the characters of RFC 6265 4.1.1 are accepted */
    protected CookieDecoder(boolean strict) {
        this.strict = strict;
    }

    /**
     * Creates a cookie from a pair.
     *
     * @param valueBegin -1 if there is no value
     * @return null if there is no name or no value, if quotes do not match, or if an octet is not allowed; the reason
     *     is then logged at level DEBUG
     */
    protected DefaultCookie initCookie(String header, int nameBegin, int nameEnd, int valueBegin, int valueEnd) {
        if (nameBegin < 0 || valueBegin < 0 || valueEnd < valueBegin) {
            return dropped("no name or no value");
        }
        int end = nameEnd;
        while (!strict && end > nameBegin && header.charAt(end - 1) <= ' ') {
            end--;
        }
        if (!isName(header, nameBegin, end)) {
            return dropped("its name is not valid");
        }
        boolean opened = header.startsWith("\"", valueBegin);
        boolean wrapped = opened && valueEnd - valueBegin > 1 && header.charAt(valueEnd - 1) == '"';
        if (opened && !wrapped && !keepsUnmatchedQuotes()) {
            return dropped("a quote is not closed");
        }
        int begin = wrapped ? valueBegin + 1 : valueBegin;
        int last = wrapped ? valueEnd - 1 : valueEnd;
        if (strict
                ? CookieSyntax.firstBadInValue(header, begin, last) >= 0
                : !CookieSyntax.fitsIntoLine(header, begin, last)) {
            return dropped("its value contains an octet that is not allowed");
        }
        return new DefaultCookie(header.substring(nameBegin, end), header.substring(begin, last), wrapped);
    }

    private boolean isName(String header, int from, int to) {
        return strict ? CookieSyntax.isStrictName(header, from, to) : CookieSyntax.isName(header, from, to);
    }

    /** Whether an unclosed quote is part of the value; otherwise the cookie is dropped. */
    boolean keepsUnmatchedQuotes() {
        return false;
    }

    final boolean isStrict() {
        return strict;
    }

    /** Logs the reason but not the text, since values are secrets. */
    private DefaultCookie dropped(String reason) {
        logger.debug("dropped a cookie: " + reason);
        return null;
    }
}
