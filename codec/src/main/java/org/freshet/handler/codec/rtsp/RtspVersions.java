package org.freshet.handler.codec.rtsp;

import java.util.Locale;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** The RTSP version. Unlike with HTTP/1.0, connections are kept open by default. */
public final class RtspVersions {
    /** RFC 2326. */
    public static final HttpVersion RTSP_1_0 = new HttpVersion("RTSP", 1, 0, true);

    private RtspVersions() {}

    /**
     * Returns the constant, or another version that keeps connections open.
     *
     * @param text case is ignored, and surrounding whitespace removed
     * @throws IllegalArgumentException if it is not a version
     */
    public static HttpVersion valueOf(String text) {
        if (text == null) {
            throw new NullPointerException("text");
        }
        String upper = HeaderSyntax.withoutBlanks(text).toUpperCase(Locale.ROOT);
        return upper.equals(RTSP_1_0.getText()) ? RTSP_1_0 : new HttpVersion(upper, true);
    }
}
