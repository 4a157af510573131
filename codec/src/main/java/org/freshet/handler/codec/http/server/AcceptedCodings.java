package org.freshet.handler.codec.http.server;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which content codings a client accepts, and how much it likes each, by its {@code Accept-Encoding} (RFC 9110 12.5.3).
 * Belongs to one request.
 */
final class AcceptedCodings {
    private static final double UNSTATED = -1;

    /** By the coding's name in lower case; {@code *} stands for all that are not named. */
    private final Map<String, Double> qualities = new HashMap<>();

    /** @param values of all header lines, empty if there are none */
    AcceptedCodings(List<String> values) {
        for (String value : values) {
            for (String element : value.split(",")) {
                add(element);
            }
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

    /** 0 if it is not a number from 0 to 1: what a client does not state clearly is not forced upon it. */
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

    /** 0 if the coding is not accepted. */
    double quality(String coding) {
        double named = qualities.getOrDefault(coding, UNSTATED);
        return named != UNSTATED ? named : qualities.getOrDefault("*", 0.0);
    }

    /** How much it likes content as it is: as much as any coding that it names, unless it says otherwise. */
    double identityQuality() {
        double named = qualities.getOrDefault("identity", UNSTATED);
        if (named != UNSTATED) {
            return named;
        }
        return qualities.getOrDefault("*", 1.0) == 0 ? 0 : UNSTATED;
    }

    /**
     * Whether a coding is to be preferred to none at all. A client that says nothing of {@code identity} named the coding
     * because it wants it.
     */
    boolean prefers(String coding) {
        double quality = quality(coding);
        return quality > 0 && quality >= identityQuality();
    }
}
