package org.freshet.handler.codec.http.server.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Parses the ranges of a {@code Range} header (RFC 9110 14.1.2). Ranges that overlap, or are closer together than a
 * part's head is long, are joined. The others keep the order in which they were requested. Stateless.
 */
final class ByteRanges {
    /** The approximate size of a part's head in a multipart response, in bytes. */
    private static final int PART_OVERHEAD = 100;

    /** More digits than this are treated as a number larger than any file. */
    private static final int MAX_DIGITS = 18;

    /**
     * A range.
     *
     * @param first the first byte
     * @param last the last byte, inclusive
     * @param order the position in the header of the earliest range that was joined into this one
     */
    record Range(long first, long last, int order) {
        long length() {
            return last - first + 1;
        }
    }

    private ByteRanges() {}

    /**
     * Parses a header.
     *
     * @param size of the content, in bytes
     * @param maxRanges if the header has more ranges, it is ignored, and the client gets the whole content
     * @return null if the header is ignored, also because its unit is not bytes, it is malformed, or the content is
     *     empty; an empty list if no range overlaps the content
     */
    static List<Range> parse(String header, long size, int maxRanges) {
        int equals = header.indexOf('=');
        if (equals < 0 || !header.substring(0, equals).trim().equalsIgnoreCase("bytes") || size == 0) {
            return null;
        }
        List<Range> ranges = new ArrayList<>();
        String[] specs = header.substring(equals + 1).split(",", -1);
        int stated = 0;
        for (String spec : specs) {
            String trimmed = spec.trim();
            if (trimmed.isEmpty()) {
                continue; // RFC 9110 5.6.1.2
            }
            long[] bounds = bounds(trimmed);
            if (bounds == null || ++stated > maxRanges) {
                return null;
            }
            Range range = within(bounds, size, stated);
            if (range != null) {
                ranges.add(range);
            }
        }
        return stated == 0 ? null : joined(ranges);
    }

    /** The first and last byte, with -1 for one that is not stated; null if this is not a range. */
    private static long[] bounds(String spec) {
        int hyphen = spec.indexOf('-');
        if (hyphen < 0 || spec.length() == 1) {
            return null;
        }
        long first = hyphen == 0 ? -1 : number(spec, 0, hyphen);
        long last = hyphen == spec.length() - 1 ? -1 : number(spec, hyphen + 1, spec.length());
        boolean malformed =
                first == Long.MIN_VALUE || last == Long.MIN_VALUE || first >= 0 && last >= 0 && last < first;
        return malformed ? null : new long[] {first, last};
    }

    /** {@link Long#MIN_VALUE} if these are not digits. A number with too many digits becomes the largest one. */
    private static long number(String text, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return Long.MIN_VALUE;
            }
            value = i - from < MAX_DIGITS ? value * 10 + digit : Long.MAX_VALUE;
        }
        return value;
    }

    /** Null if no part of the range is inside the content. */
    private static Range within(long[] bounds, long size, int order) {
        long first = bounds[0] < 0 ? Math.max(0, size - bounds[1]) : bounds[0];
        long last = bounds[0] < 0 || bounds[1] < 0 ? size - 1 : Math.min(bounds[1], size - 1);
        return first < size ? new Range(first, last, order) : null;
    }

    private static List<Range> joined(List<Range> ranges) {
        List<Range> sorted = new ArrayList<>(ranges);
        sorted.sort(Comparator.comparingLong(Range::first));
        List<Range> joined = new ArrayList<>();
        for (Range next : sorted) {
            Range before = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (before == null || next.first - PART_OVERHEAD > before.last) {
                joined.add(next);
            } else {
                joined.set(
                        joined.size() - 1,
                        new Range(before.first, Math.max(before.last, next.last), Math.min(before.order, next.order)));
            }
        }
        joined.sort(Comparator.comparingInt(Range::order));
        return joined;
    }
}
