package org.freshet.handler.codec.http;

import java.util.List;

/** Which coding a client likes most, by its {@code Accept-Encoding} (RFC 9110 12.5.3). Stateless. */
final class AcceptEncoding {
    private AcceptEncoding() {}

    /**
     * One of the others, {@code gzip}, {@code deflate}, or null if the client accepts none of them. {@code *} stands for gzip and
     * deflate. Names are compared as Netty 3 compares them, in part.
     *
     * @param others preferred to gzip and deflate where the client likes them equally, the first one most
     */
    static String choose(String acceptEncoding, List<String> others) {
        String[] elements = acceptEncoding.split(",");
        String best = null;
        float bestQuality = 0;
        for (String other : others) {
            float quality = quality(elements, other);
            if (quality > bestQuality) {
                best = other;
                bestQuality = quality;
            }
        }
        float gzip = quality(elements, HttpHeaders.Values.GZIP);
        float deflate = quality(elements, HttpHeaders.Values.DEFLATE);
        if (Math.max(gzip, deflate) > bestQuality) {
            return gzip >= deflate ? HttpHeaders.Values.GZIP : HttpHeaders.Values.DEFLATE;
        }
        return best == null && qualityOfAny(elements) > 0 ? notNamed(gzip, deflate) : best;
    }

    private static String notNamed(float gzip, float deflate) {
        if (gzip < 0) {
            return HttpHeaders.Values.GZIP;
        }
        return deflate < 0 ? HttpHeaders.Values.DEFLATE : null;
    }

    /** The highest quality that is stated for a coding; -1 if it is not named. */
    private static float quality(String[] elements, String coding) {
        float highest = -1;
        for (String element : elements) {
            if (element.indexOf('*') < 0 && isNamed(element, coding)) {
                highest = Math.max(highest, quality(element));
            }
        }
        return highest;
    }

    /** -1 if {@code *} is not there. */
    private static float qualityOfAny(String[] elements) {
        float last = -1;
        for (String element : elements) {
            last = element.indexOf('*') >= 0 ? quality(element) : last;
        }
        return last;
    }

    private static boolean isNamed(String element, String coding) {
        int end = element.indexOf(';');
        String name = (end < 0 ? element : element.substring(0, end)).trim();
        return name.equalsIgnoreCase(coding) || name.equalsIgnoreCase("x-" + coding);
    }

    /** 1 unless stated; 0 if it is stated and is not a number. */
    private static float quality(String element) {
        int equals = element.indexOf('=');
        if (equals < 0) {
            return 1;
        }
        try {
            return Float.parseFloat(element.substring(equals + 1));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
