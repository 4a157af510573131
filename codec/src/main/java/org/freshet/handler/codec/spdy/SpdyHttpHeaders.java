package org.freshet.handler.codec.spdy;

import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;

/**
 * Headers that link an HTTP message to its stream. {@link SpdyHttpDecoder} sets them and {@link SpdyHttpEncoder} removes them;
 * they are never sent.
 */
public final class SpdyHttpHeaders {
    private SpdyHttpHeaders() {}

    /** The header names. */
    public static final class Names {
        public static final String STREAM_ID = "X-SPDY-Stream-ID";
        public static final String ASSOCIATED_TO_STREAM_ID = "X-SPDY-Associated-To-Stream-ID";
        public static final String PRIORITY = "X-SPDY-Priority";
        public static final String URL = "X-SPDY-URL";
        public static final String SCHEME = "X-SPDY-Scheme";

        private Names() {}
    }

    public static void removeStreamId(HttpMessage message) {
        message.headers().remove(Names.STREAM_ID);
    }

    /** @throws NumberFormatException if the header is missing, or not a number */
    public static int getStreamId(HttpMessage message) {
        return HttpHeaders.getIntHeader(message, Names.STREAM_ID);
    }

    public static void setStreamId(HttpMessage message, int streamId) {
        HttpHeaders.setIntHeader(message, Names.STREAM_ID, streamId);
    }

    public static void removeAssociatedToStreamId(HttpMessage message) {
        message.headers().remove(Names.ASSOCIATED_TO_STREAM_ID);
    }

    /** 0 if the header is missing. */
    public static int getAssociatedToStreamId(HttpMessage message) {
        return HttpHeaders.getIntHeader(message, Names.ASSOCIATED_TO_STREAM_ID, 0);
    }

    public static void setAssociatedToStreamId(HttpMessage message, int associatedToStreamId) {
        HttpHeaders.setIntHeader(message, Names.ASSOCIATED_TO_STREAM_ID, associatedToStreamId);
    }

    public static void removePriority(HttpMessage message) {
        message.headers().remove(Names.PRIORITY);
    }

    /** 0 (the most urgent) if the header is missing. */
    public static byte getPriority(HttpMessage message) {
        return (byte) HttpHeaders.getIntHeader(message, Names.PRIORITY, 0);
    }

    public static void setPriority(HttpMessage message, byte priority) {
        HttpHeaders.setIntHeader(message, Names.PRIORITY, priority);
    }

    public static void removeUrl(HttpMessage message) {
        message.headers().remove(Names.URL);
    }

    /** Null if the header is missing. */
    public static String getUrl(HttpMessage message) {
        return message.headers().get(Names.URL);
    }

    public static void setUrl(HttpMessage message, String url) {
        message.headers().set(Names.URL, url);
    }

    public static void removeScheme(HttpMessage message) {
        message.headers().remove(Names.SCHEME);
    }

    /** Null if the header is missing. */
    public static String getScheme(HttpMessage message) {
        return message.headers().get(Names.SCHEME);
    }

    public static void setScheme(HttpMessage message, String scheme) {
        message.headers().set(Names.SCHEME, scheme);
    }
}
