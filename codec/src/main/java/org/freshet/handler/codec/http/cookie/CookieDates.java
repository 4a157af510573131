package org.freshet.handler.codec.http.cookie;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Parses the dates of {@code Expires} as browsers do (RFC 6265 5.1.1): a time, a day, a month and a year in any order,
 * with almost anything in between. The time zone is always GMT, whatever the text says.
 *
 * <p>An instance parses one text.
 */
final class CookieDates {
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
    private static final int UNKNOWN = -1;

    /** An impossible time of day: the whole text is not a date. */
    private static final int INVALID = -2;

    private final String text;
    private int secondOfDay = UNKNOWN;
    private int day = UNKNOWN;
    private int month = UNKNOWN;
    private int year = UNKNOWN;

    private CookieDates(String text) {
        this.text = text;
    }

    /** Null if the text is not a date. */
    static Instant parse(String text) {
        return new CookieDates(text).date();
    }

    private Instant date() {
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || isDelimiter(text.charAt(i))) {
                take(from, i);
                from = i + 1;
            }
        }
        if (secondOfDay < 0 || day < 1 || month == UNKNOWN || fullYear() < 1601) {
            return null;
        }
        try {
            return LocalDateTime.of(fullYear(), month, day, 0, 0)
                    .plusSeconds(secondOfDay)
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null; // the 31st of June
        }
    }

    private static boolean isDelimiter(char c) {
        return c == '\t'
                || c >= 0x20 && c <= 0x2f
                || c >= 0x3b && c <= 0x40
                || c >= 0x5b && c <= 0x60
                || c >= 0x7b && c <= 0x7e;
    }

    /**
     * Takes a part of the text as the first of time, day, month and year that is still unknown and that the part fits.
     */
    private void take(int from, int to) {
        if (from == to || secondOfDay == UNKNOWN && takeTime(from, to)) {
            return;
        }
        int digits = digitsAt(from, to);
        if (day == UNKNOWN && digits >= 1 && digits <= 2) {
            day = number(from, digits);
        } else if (month == UNKNOWN && takeMonth(from, to)) {
            return;
        } else if (year == UNKNOWN && digits >= 2 && digits <= 4) {
            year = number(from, digits);
        }
    }

    /** Parses hours, minutes and seconds of one or two digits each. Anything but a digit may follow. */
    private boolean takeTime(int from, int to) {
        int at = from;
        int[] fields = new int[3];
        for (int i = 0; i < fields.length; i++) {
            int digits = digitsAt(at, to);
            if (digits < 1 || digits > 2) {
                return false;
            }
            fields[i] = number(at, digits);
            at += digits;
            if (i < fields.length - 1 && (at >= to || text.charAt(at++) != ':')) {
                return false;
            }
        }
        boolean valid = fields[0] <= 23 && fields[1] <= 59 && fields[2] <= 59;
        secondOfDay = valid ? (fields[0] * 60 + fields[1]) * 60 + fields[2] : INVALID;
        return true;
    }

    private boolean takeMonth(int from, int to) {
        for (int i = 0; i < 12 && to - from >= 3; i++) {
            if (text.regionMatches(true, from, MONTHS, i * 3, 3)) {
                month = i + 1;
                return true;
            }
        }
        return false;
    }

    private int digitsAt(int from, int to) {
        int at = from;
        while (at < to && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at - from;
    }

    private int number(int from, int digits) {
        return Integer.parseInt(text, from, from + digits, 10);
    }

    /** A two-digit year is one from 1970 to 2069. */
    private int fullYear() {
        if (year >= 70 && year <= 99) {
            return year + 1900;
        }
        return year >= 0 && year <= 69 ? year + 2000 : year;
    }
}
