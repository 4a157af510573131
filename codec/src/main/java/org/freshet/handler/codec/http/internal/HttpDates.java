package org.freshet.handler.codec.http.internal;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Writes HTTP dates in one form, and reads all three (RFC 9110 5.6.7). The text for the last requested second is
 * cached, since servers need the current date for every response.
 *
 * <p>Any thread may use it: the cache is immutable, and replaced as a whole.
 */
public final class HttpDates {
    private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    private static final String[] MONTHS = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
    };

    private static volatile Second last = new Second(0, render(0));

    private HttpDates() {}

    private record Second(long epochSecond, String text) {}

    /** Writes a date like {@code Sun, 06 Nov 1994 08:49:37 GMT}. Fractions of a second are dropped. */
    public static String format(long epochMillis) {
        long epochSecond = Math.floorDiv(epochMillis, 1000L);
        Second known = last;
        if (known.epochSecond != epochSecond) {
            known = new Second(epochSecond, render(epochSecond));
            last = known;
        }
        return known.text;
    }

    private static String render(long epochSecond) {
        LocalDateTime at = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(29);
        text.append(DAYS[at.getDayOfWeek().ordinal()]).append(", ");
        appendPadded(text, at.getDayOfMonth(), 2).append(' ');
        text.append(MONTHS[at.getMonthValue() - 1]).append(' ');
        appendPadded(text, at.getYear(), 4).append(' ');
        appendPadded(text, at.getHour(), 2).append(':');
        appendPadded(text, at.getMinute(), 2).append(':');
        appendPadded(text, at.getSecond(), 2).append(" GMT");
        return text.toString();
    }

    private static StringBuilder appendPadded(StringBuilder text, int number, int digits) {
        for (int limit = (int) Math.pow(10, digits - 1); number < limit && limit > 1; limit /= 10) {
            text.append('0');
        }
        return text.append(number);
    }

    /**
     * Reads a date in any of the three forms. Also accepts a one-digit day, hyphens or blanks between its parts, and an
     * offset such as {@code +0100} instead of GMT. The weekday is not checked.
     *
     * @param end if not null, receives the index after the date, if there is one
     * @return null if there is no date at {@code from}
     */
    public static Instant parse(String text, int from, int[] end) {
        Reader reader = new Reader(text, from);
        try {
            Instant date = reader.date();
            if (date != null && end != null) {
                end[0] = reader.at;
            }
            return date;
        } catch (DateTimeException e) {
            return null; // the 31st of June, or the 25th hour
        }
    }

    /** Reads a text that consists of nothing but a date; null if it doesn't. See {@link #parse(String, int, int[])}. */
    public static Instant parse(String text) {
        int[] end = new int[1];
        Instant date = parse(text, 0, end);
        return date != null && end[0] == text.length() ? date : null;
    }

    /** Reads one text from a position on. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text, int at) {
            this.text = text;
            this.at = at;
        }

        Instant date() {
            String weekday = word();
            if (weekday != null && !skip(',')) {
                return skip(' ') ? afterWeekday() : null;
            }
            skip(' ');
            return dayFirst();
        }

        /** Reads {@code Nov  6 08:49:37 1994}, or another form with the comma missing. */
        private Instant afterWeekday() {
            int month = month(word());
            if (month == 0) {
                return dayFirst();
            }
            int day = blanksThenNumber(2);
            LocalTimeOfDay time = time();
            int year = blanksThenNumber(4);
            return day < 0 || time == null || year < 1000 ? null : time.on(year, month, day, 0);
        }

        private Instant dayFirst() {
            int day = blanksThenNumber(2);
            int month = day < 0 || !separator() ? 0 : month(word());
            if (month == 0 || !separator()) {
                return null;
            }
            int start = at;
            int year = number(4);
            int digits = at - start;
            if (digits != 2 && digits != 4) {
                return null;
            }
            LocalTimeOfDay time = time();
            Integer offset = time == null ? null : offsetSeconds();
            return offset == null ? null : time.on(digits == 2 ? fullYear(year) : year, month, day, offset);
        }

        private boolean separator() {
            return skip('-') || skip(' ');
        }

        /** A two-digit year that seems more than 50 years ahead is in the past (RFC 9110 5.6.7). */
        private static int fullYear(int twoDigits) {
            int now = LocalDateTime.now(ZoneOffset.UTC).getYear();
            int year = now - now % 100 + twoDigits;
            return year > now + 50 ? year - 100 : year;
        }

        private LocalTimeOfDay time() {
            int hour = blanksThenNumber(2);
            int minute = skip(':') ? number(2) : -1;
            int second = skip(':') ? number(2) : -1;
            return hour < 0 || minute < 0 || second < 0
                    ? null
                    : new LocalTimeOfDay(hour, minute, second == 60 ? 59 : second);
        }

        /** Null if no known time zone follows. */
        private Integer offsetSeconds() {
            skip(' ');
            boolean negative = skip('-');
            if (negative || skip('+')) {
                int hoursAndMinutes = number(4);
                int seconds = (hoursAndMinutes / 100 * 60 + hoursAndMinutes % 100) * 60;
                return hoursAndMinutes < 0 ? null : Integer.valueOf(negative ? -seconds : seconds);
            }
            String zone = word();
            boolean known = zone != null && ("GMT".equalsIgnoreCase(zone) || "UTC".equalsIgnoreCase(zone));
            return known ? Integer.valueOf(0) : null;
        }

        private String word() {
            int start = at;
            while (at < text.length() && (text.charAt(at) | 0x20) >= 'a' && (text.charAt(at) | 0x20) <= 'z') {
                at++;
            }
            return at == start ? null : text.substring(start, at);
        }

        private int blanksThenNumber(int maxDigits) {
            while (skip(' ')) {
                // asctime pads the day with a blank
            }
            return number(maxDigits);
        }

        private int number(int maxDigits) {
            int value = 0;
            int start = at;
            while (at < text.length() && at - start < maxDigits && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at++) - '0';
            }
            return at == start ? -1 : value;
        }

        private boolean skip(char c) {
            boolean there = at < text.length() && text.charAt(at) == c;
            at += there ? 1 : 0;
            return there;
        }

        /** 1 to 12; 0 if the word is not a month. */
        private static int month(String word) {
            for (int i = 0; i < MONTHS.length && word != null; i++) {
                if (word.toLowerCase(Locale.ROOT).startsWith(MONTHS[i].toLowerCase(Locale.ROOT))) {
                    return i + 1;
                }
            }
            return 0;
        }
    }

    private record LocalTimeOfDay(int hour, int minute, int second) {
        Instant on(int year, int month, int day, int offsetSeconds) {
            return LocalDateTime.of(year, month, day, hour, minute, second)
                    .toInstant(ZoneOffset.UTC)
                    .minusSeconds(offsetSeconds);
        }
    }
}
