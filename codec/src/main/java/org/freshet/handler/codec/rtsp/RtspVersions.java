package org.freshet.handler.codec.rtsp;

import java.util.Locale;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** The version of RTSP. Unlike HTTP/1.0, it keeps connections open unless told otherwise. */
public final class RtspVersions {
    /** RFC 2326. */
    public static final HttpVersion RTSP_1_0 = new HttpVersion("RTSP", 1, 0, true);

    private RtspVersions() {}

    /**
     * The constant, or another version that keeps connections open.
     *
     * @param text in any case; surrounding blanks are removed
     * @throws IllegalArgumentException if it is no version
     */
    public static HttpVersion valueOf(String text) {
        if (text == null) {
            throw new NullPointerException("text");
        }
        String upper = HeaderSyntax.withoutBlanks(text).toUpperCase(Locale.ROOT);
        return upper.equals(RTSP_1_0.getText()) ? RTSP_1_0 : new HttpVersion(upper, true);
    }
}
