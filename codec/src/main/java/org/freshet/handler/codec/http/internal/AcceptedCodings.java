package org.freshet.handler.codec.http.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The content codings that a client accepts in {@code Accept-Encoding}, and their quality values (RFC 9110 12.5.3).
 * Belongs to one request.
 */
public final class AcceptedCodings {
    private static final double UNSTATED = -1;
    private static final String ANY = "*";
    private static final String GZIP = "gzip";
    private static final String DEFLATE = "deflate";

    /** By the coding's name in lower case. {@code *} covers all codings that are not named. */
    private final Map<String, Double> qualities = new HashMap<>();

    /** @param values the values of all header lines; may be empty */
    public AcceptedCodings(List<String> values) {
        values.forEach(this::addAll);
    }

    /** @param value the values of all header lines, joined with commas */
    public AcceptedCodings(String value) {
        addAll(value);
    }

    private void addAll(String value) {
        for (String element : value.split(",")) {
            add(element);
        }
    }

    private void add(String element) {
        int semicolon = element.indexOf(';');
        String coding = (semicolon < 0 ? element : element.substring(0, semicolon))
                .trim()
                .toLowerCase(Locale.ROOT);
        if (!coding.isEmpty()) {
            qualities.merge(coding, semicolon < 0 ? 1 : parse(element.substring(semicolon + 1)), Math::max);
        }
    }

    /** 0 if this is not a number from 0 to 1: a coding is not used unless the client clearly accepts it. */
    private static double parse(String parameter) {
        String text = parameter.trim();
        if (!text.regionMatches(true, 0, "q=", 0, 2) || text.length() > 7) {
            return 0;
        }
        try {
            double quality = Double.parseDouble(text.substring(2));
            return quality >= 0 && quality <= 1 ? quality : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * The quality of a coding, from 0 to 1; 0 if it is not accepted.
     *
     * @param coding in lower case
     */
    public double quality(String coding) {
        double named = namedQuality(coding);
        return named != UNSTATED ? named : qualities.getOrDefault(ANY, 0.0);
    }

    /** RFC 9110 8.4.1.3: x-gzip means gzip. */
    private double namedQuality(String coding) {
        Double quality = qualities.get(coding);
        return quality != null ? quality : qualities.getOrDefault("x-" + coding, UNSTATED);
    }

    /** The quality of unencoded content; by default the same as that of the codings named. */
    private double identityQuality() {
        double named = namedQuality("identity");
        if (named != UNSTATED) {
            return named;
        }
        return qualities.getOrDefault(ANY, 1.0) == 0 ? 0 : UNSTATED;
    }

    /**
     * Whether a coding is preferred to no coding. If the client doesn't mention {@code identity}, it names codings
     * because it wants them.
     */
    public boolean prefers(String coding) {
        double quality = quality(coding);
        return quality > 0 && quality >= identityQuality();
    }

    /**
     * Chooses the coding for a response that is encoded while it is sent: one of the others, {@code gzip},
     * {@code deflate}, or null if the client accepts none of them. {@code *} covers gzip and deflate only.
     *
     * @param others codings preferred to gzip and deflate if the client accepts them equally, the most preferred first
     */
    public String choose(List<String> others) {
        String best = null;
        double bestQuality = 0;
        for (String other : others) {
            double quality = namedQuality(other);
            if (quality > bestQuality) {
                best = other;
                bestQuality = quality;
            }
        }
        double gzip = namedQuality(GZIP);
        double deflate = namedQuality(DEFLATE);
        if (Math.max(gzip, deflate) > bestQuality) {
            return gzip >= deflate ? GZIP : DEFLATE;
        }
        return best == null && namedQuality(ANY) > 0 ? notNamed(gzip, deflate) : best;
    }

    private static String notNamed(double gzip, double deflate) {
        if (gzip == UNSTATED) {
            return GZIP;
        }
        return deflate == UNSTATED ? DEFLATE : null;
    }
}
