package org.freshet.handler.codec.http.server.route;

import java.util.List;
import org.freshet.handler.codec.http.server.route.PathTemplate.Kind;
import org.freshet.handler.codec.http.server.route.PathTemplate.Segment;

/**
 * Compares two templates. One is more specific if the other matches every path that it matches. If two templates have a
 * path in common, one must be more specific; otherwise the choice would be ambiguous. Used by one thread, while a
 * router is built.
 */
final class TemplateOverlap {
    private final List<Segment> first;
    private final List<Segment> second;

    /** A path that both templates match. */
    private final StringBuilder example = new StringBuilder();

    private boolean firstMoreSpecific;
    private boolean secondMoreSpecific;

    private TemplateOverlap(PathTemplate first, PathTemplate second) {
        this.first = first.segments;
        this.second = second.segments;
    }

    /** Describes why a router can't have both, for an exception's message; null if it can. */
    static String problem(PathTemplate first, PathTemplate second) {
        TemplateOverlap overlap = new TemplateOverlap(first, second);
        if (!overlap.exists() || overlap.firstMoreSpecific != overlap.secondMoreSpecific) {
            return null;
        }
        return overlap.firstMoreSpecific
                ? "also matches " + overlap.example + ", and neither is more specific"
                : "matches the same paths";
    }

    private boolean exists() {
        for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
            Kind kindOfFirst = first.get(i).kind();
            Kind kindOfSecond = second.get(i).kind();
            if (kindOfFirst == Kind.WILDCARD || kindOfSecond == Kind.WILDCARD) {
                firstMoreSpecific |= kindOfFirst != Kind.WILDCARD;
                secondMoreSpecific |= kindOfSecond != Kind.WILDCARD;
                appendRest(kindOfFirst == Kind.WILDCARD ? second : first, i);
                return true;
            }
            if (!overlapAt(i)) {
                return false;
            }
        }
        return first.size() == second.size();
    }

    private boolean overlapAt(int i) {
        Segment one = first.get(i);
        Segment other = second.get(i);
        boolean literalOne = one.kind() == Kind.LITERAL;
        boolean literalOther = other.kind() == Kind.LITERAL;
        firstMoreSpecific |= literalOne && !literalOther;
        secondMoreSpecific |= literalOther && !literalOne;
        append(literalOne ? one : other);
        if (literalOne && literalOther) {
            return one.text().equals(other.text());
        }
        return !one.text().isEmpty() && !other.text().isEmpty(); // a parameter has a value
    }

    private void appendRest(List<Segment> segments, int from) {
        segments.subList(from, segments.size()).forEach(this::append);
    }

    private void append(Segment segment) {
        example.append('/').append(segment.text());
    }
}
