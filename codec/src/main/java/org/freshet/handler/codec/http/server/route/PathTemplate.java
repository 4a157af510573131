package org.freshet.handler.codec.http.server.route;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The paths of a route: literal segments, parameters in braces, and optionally a wildcard at the end. A parameter's
 * value is the segment at its place in the path; a wildcard's value is that segment and everything after it. Immutable;
 * any thread may use it.
 */
final class PathTemplate {
    enum Kind {
        LITERAL,
        PARAMETER,
        WILDCARD
    }

    /**
     * @param text the literal, or the name of the parameter; may be empty only in the last segment, after a trailing
     *     slash
     */
    record Segment(Kind kind, String text) {}

    private final String text;
    final List<Segment> segments;

    /** @throws IllegalArgumentException if the text is malformed; the message says why */
    PathTemplate(String text) {
        this.text = text;
        if (!text.startsWith("/")) {
            throw malformed("doesn't begin with a slash");
        }
        List<Segment> parsed = new ArrayList<>();
        String[] parts = text.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            parsed.add(parse(parts[i], i == parts.length - 1));
        }
        segments = List.copyOf(parsed);
        checkNames();
    }

    private Segment parse(String part, boolean last) {
        if (part.isEmpty() && !last) {
            throw malformed("has an empty segment");
        }
        if (!part.startsWith("{") || !part.endsWith("}")) {
            return new Segment(Kind.LITERAL, checkLiteral(part));
        }
        boolean wildcard = part.endsWith("*}");
        String name = part.substring(1, part.length() - (wildcard ? 2 : 1));
        if (!name.matches("[A-Za-z_][A-Za-z0-9_-]*")) {
            throw malformed("has a parameter name with characters other than letters, digits, '_' and '-': " + part);
        }
        if (wildcard && !last) {
            throw malformed("has a wildcard before its end: " + part);
        }
        return new Segment(wildcard ? Kind.WILDCARD : Kind.PARAMETER, name);
    }

    private String checkLiteral(String part) {
        if (part.indexOf('{') >= 0 || part.indexOf('}') >= 0) {
            throw malformed("has braces that don't enclose a whole segment: " + part);
        }
        if (part.chars().anyMatch(c -> c <= ' ' || "%?#*".indexOf(c) >= 0) || SafePath.isUnsafe(part)) {
            throw malformed(
                    "has a segment that no decoded path can have, or that looks like a query or a wildcard: " + part);
        }
        return part;
    }

    private void checkNames() {
        Set<String> names = new HashSet<>();
        for (Segment segment : segments) {
            if (segment.kind() != Kind.LITERAL && !names.add(segment.text())) {
                throw malformed("has two parameters named " + segment.text());
            }
        }
    }

    private IllegalArgumentException malformed(String problem) {
        return new IllegalArgumentException("path template " + problem + ": " + text);
    }

    /** Whether this matches a single path with characters that need no escape. */
    boolean isSentAsIs() {
        return segments.stream().allMatch(s -> s.kind() == Kind.LITERAL)
                && text.chars().allMatch(c -> c < 0x80);
    }

    /** The index of the parameter or wildcard with this name; -1 if the template has no such name. */
    int indexOf(String name) {
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            if (segment.kind() != Kind.LITERAL && segment.text().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    boolean isWildcard(int index) {
        return segments.get(index).kind() == Kind.WILDCARD;
    }

    @Override
    public String toString() {
        return text;
    }
}
