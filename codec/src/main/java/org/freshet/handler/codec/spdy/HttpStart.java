package org.freshet.handler.codec.spdy;

import org.freshet.handler.codec.http.HttpResponseStatus;

/** Parses the headers that replace the first line of an HTTP message. */
final class HttpStart {
    private static final int CODE_DIGITS = 3;

    private HttpStart() {}

    /** Parses three digits, alone or followed by a space and a phrase; returns null for anything else. */
    static HttpResponseStatus parseStatus(String text) {
        if (text.length() < CODE_DIGITS || text.length() > CODE_DIGITS && text.charAt(CODE_DIGITS) != ' ') {
            return null;
        }
        int code = 0;
        for (int i = 0; i < CODE_DIGITS; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return null;
            }
            code = 10 * code + digit;
        }
        return text.length() == CODE_DIGITS
                ? HttpResponseStatus.valueOf(code)
                : withPhrase(code, text.substring(CODE_DIGITS + 1));
    }

    private static HttpResponseStatus withPhrase(int code, String phrase) {
        HttpResponseStatus known = HttpResponseStatus.valueOf(code);
        if (phrase.isEmpty() || known.getReasonPhrase().equals(phrase)) {
            return known;
        }
        try {
            return new HttpResponseStatus(code, phrase);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
