package org.freshet.handler.codec.http.server.files;

import java.time.Instant;
import java.util.List;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.internal.HttpDates;

/**
 * Evaluates the conditions of a GET or HEAD request, in their order of precedence (RFC 9110 13.2.2). Invalid dates are
 * ignored; invalid entity tags match nothing. Stateless.
 */
final class FileConditions {
    enum Outcome {
        SEND,
        /** 304 */
        NOT_MODIFIED,
        /** 412 */
        FAILED
    }

    private FileConditions() {}

    static Outcome evaluate(HttpHeaders request, FileVersion version) {
        if (request.contains(Names.IF_MATCH)) {
            if (!matches(request.getAll(Names.IF_MATCH), version, true)) {
                return Outcome.FAILED;
            }
        } else if (isModifiedSince(request, Names.IF_UNMODIFIED_SINCE, version, false)) {
            return Outcome.FAILED;
        }
        boolean send = request.contains(Names.IF_NONE_MATCH)
                ? !matches(request.getAll(Names.IF_NONE_MATCH), version, false)
                : isModifiedSince(request, Names.IF_MODIFIED_SINCE, version, true);
        return send ? Outcome.SEND : Outcome.NOT_MODIFIED;
    }

    /**
     * Whether a range may be sent: there is no {@code If-Range}, or it matches the present version with a strong
     * validator.
     */
    static boolean rangeApplies(HttpHeaders request, FileVersion version) {
        String stated = request.get(Names.IF_RANGE);
        if (stated == null) {
            return true;
        }
        if (stated.startsWith("\"") || stated.startsWith("W/")) {
            return version.strong() && stated.equals(version.tag());
        }
        Instant date = HttpDates.parse(stated);
        return version.strong() && date != null && date.getEpochSecond() == version.modifiedSecond();
    }

    private static boolean isModifiedSince(HttpHeaders request, String name, FileVersion version, boolean withoutDate) {
        String stated = request.get(name);
        Instant date = stated == null ? null : HttpDates.parse(stated);
        return date == null ? withoutDate : version.modifiedSecond() > date.getEpochSecond();
    }

    // ---- lists of entity tags; a comma may also be part of a tag ----

    private static boolean matches(List<String> values, FileVersion version, boolean strongly) {
        for (String value : values) {
            if (value.trim().equals("*") || matches(value, version, strongly)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String value, FileVersion version, boolean strongly) {
        int at = 0;
        while (at < value.length()) {
            char c = value.charAt(at);
            if (c == ',' || c == ' ' || c == '\t') {
                at++;
                continue;
            }
            boolean weak = value.startsWith("W/", at);
            int open = weak ? at + 2 : at;
            int close = open < value.length() && value.charAt(open) == '"' ? value.indexOf('"', open + 1) : -1;
            if (close < 0) {
                return false; // not a tag, so the start of the next one is unknown
            }
            boolean comparable = !strongly || !weak && version.strong();
            if (comparable && value.substring(open, close + 1).equals(version.opaqueTag())) {
                return true;
            }
            at = close + 1;
        }
        return false;
    }
}
