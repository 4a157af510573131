package org.freshet.handler.codec.http.server.route;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.freshet.handler.codec.http.internal.PercentDecoder;

/**
 * Decodes the path of a request once, as UTF-8. Anything that could mean another path to a file system or the next
 * server is refused with 400, whatever the routes are: {@code .} and {@code ..} as a segment, a backslash, an encoded
 * slash, a control character, a malformed escape. The slashes of a decoded path are therefore those that were sent.
 * Stateless; any thread may call it.
 */
final class SafePath {
    private SafePath() {}

    /**
     * Returns the decoded path; the same object if there is nothing to decode.
     *
     * @param path as it was sent
     * @throws HttpStatusException 400
     */
    static String decode(String path) {
        if (!path.startsWith("/")) {
            throw HttpStatusException.badRequest("the target has no path");
        }
        return isPlain(path) ? path : decodeSegments(path);
    }

    /** Most paths need no further check than this. */
    private static boolean isPlain(String path) {
        char before = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '.' ? before == '/' : c <= ' ' || c >= 0x7f || c == '%' || c == '\\') {
                return false;
            }
            before = c;
        }
        return true;
    }

    private static String decodeSegments(String path) {
        StringBuilder decoded = new StringBuilder(path.length());
        for (int from = 1; from <= path.length(); ) {
            int to = endOfSegment(path, from);
            String segment = decode(path, from, to);
            if (isUnsafe(segment)) {
                throw HttpStatusException.badRequest("a part of the path is unsafe");
            }
            decoded.append('/').append(segment);
            from = to + 1;
        }
        return decoded.toString();
    }

    /** The index of the next slash; the length of the path if no slash follows. */
    static int endOfSegment(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    /** Where the segment with this number begins. The path must have it. */
    static int startOfSegment(String path, int number) {
        int from = 1;
        for (int i = 0; i < number; i++) {
            from = path.indexOf('/', from) + 1;
        }
        return from;
    }

    private static String decode(String path, int from, int to) {
        byte[] bytes = new byte[to - from];
        int length = 0;
        for (int at = from; at < to; at++) {
            int c = path.charAt(at);
            if (c == '%') {
                checkEscape(path, at, to);
                c = PercentDecoder.hexDigit(path.charAt(at + 1)) << 4 | PercentDecoder.hexDigit(path.charAt(at + 2));
                at += 2;
            }
            if (c > 0xff) {
                throw HttpStatusException.badRequest("the path has a character that isn't a byte");
            }
            bytes[length++] = (byte) c;
        }
        try {
            ByteBuffer encoded = ByteBuffer.wrap(bytes, 0, length);
            return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
        } catch (CharacterCodingException e) {
            throw HttpStatusException.badRequest("the path isn't UTF-8");
        }
    }

    /** @throws HttpStatusException 400 if the percent sign is not followed by two hexadecimal digits */
    static void checkEscape(String text, int at, int to) {
        if (at + 2 >= to
                || PercentDecoder.hexDigit(text.charAt(at + 1)) < 0
                || PercentDecoder.hexDigit(text.charAt(at + 2)) < 0) {
            throw HttpStatusException.badRequest("the target has a malformed escape");
        }
    }

    /** The path was split at slashes, so any that are left were encoded. */
    static boolean isUnsafe(String segment) {
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '/' || c == '\\' || Character.isISOControl(c)) {
                return true;
            }
        }
        return segment.equals(".") || segment.equals("..");
    }
}
