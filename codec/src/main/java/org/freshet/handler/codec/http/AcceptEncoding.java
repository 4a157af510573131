package org.freshet.handler.codec.http;

/** Which of gzip and deflate a client likes more, by its {@code Accept-Encoding} (RFC 9110 12.5.3). Stateless. */
final class AcceptEncoding {
    private AcceptEncoding() {}

    /** {@code gzip}, {@code deflate}, or null if it accepts neither. Names are compared as Netty 3 compares them, in part. */
    static String choose(String acceptEncoding) {
        float any = -1;
        float gzip = -1;
        float deflate = -1;
        for (String element : acceptEncoding.split(",")) {
            float quality = quality(element);
            if (element.indexOf('*') >= 0) {
                any = quality;
            } else if (isNamed(element, "gzip")) {
                gzip = Math.max(gzip, quality);
            } else if (isNamed(element, "deflate")) {
                deflate = Math.max(deflate, quality);
            }
        }
        if (gzip > 0 || deflate > 0) {
            return gzip >= deflate ? HttpHeaders.Values.GZIP : HttpHeaders.Values.DEFLATE;
        }
        if (any <= 0) {
            return null;
        }
        if (gzip < 0) {
            return HttpHeaders.Values.GZIP;
        }
        return deflate < 0 ? HttpHeaders.Values.DEFLATE : null;
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
