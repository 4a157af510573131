package org.freshet.handler.codec.http;

/** Creates the exceptions for a decoder. For a bad response they suggest 502, which is what a proxy would answer. */
final class HttpFailures {
    private final boolean request;

    HttpFailures(boolean request) {
        this.request = request;
    }

    MalformedHttpMessageException malformed(String what) {
        return malformed(what, HttpResponseStatus.BAD_REQUEST);
    }

    MalformedHttpMessageException malformed(String what, HttpResponseStatus ofRequest) {
        return new MalformedHttpMessageException(what, request ? ofRequest : HttpResponseStatus.BAD_GATEWAY);
    }

    TooLongHttpMessageException tooLong(String what, HttpResponseStatus ofRequest) {
        return new TooLongHttpMessageException(what, request ? ofRequest : HttpResponseStatus.BAD_GATEWAY);
    }

    /** The byte, for a failure's message. */
    static String name(byte b) {
        return b > ' ' && b < 0x7f ? "'" + (char) b + "'" : String.format("byte 0x%02x", b & 0xff);
    }
}
