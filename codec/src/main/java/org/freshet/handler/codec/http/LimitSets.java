package org.freshet.handler.codec.http;

/** The predefined limits, and the defaults; {@link HttpLimits} says what each set is for. Any thread. */
final class LimitSets {
    static final HttpLimits STANDARD = new HttpLimits.Builder()
            .allow(HttpViolation.MISSING_HOST)
            .allow(HttpViolation.FRAGMENT_IN_TARGET)
            .allow(HttpViolation.LF_IN_RESPONSE_HEAD)
            .allow(HttpViolation.FOLDED_RESPONSE_HEADERS)
            .build();

    static final HttpLimits STRICT = new HttpLimits.Builder().build();

    static final HttpLimits NETTY3 = new HttpLimits.Builder()
            .maxInitialLineLength(4096)
            .maxHeaders(1000)
            .maxMethodLength(256)
            .maxChunkLineLength(4096)
            .maxChunkOverhead(1024 * 1024)
            .maxTrailerSize(8192)
            .maxInflatedBytes(Long.MAX_VALUE)
            .maxInflationRatio(Integer.MAX_VALUE)
            .maxPipelinedRequests(1024)
            .maxFormFields(Integer.MAX_VALUE)
            .maxFormFieldSize(Long.MAX_VALUE)
            .maxFormBytesInMemory(Long.MAX_VALUE)
            .maxFormSize(Long.MAX_VALUE)
            .maxFormNameLength(8192)
            .maxPartHeadSize(65536)
            .maxPartHeaders(1000)
            .maxWebSocketFrameSize(Integer.MAX_VALUE)
            .maxWebSocketMessageSize(Integer.MAX_VALUE)
            .allow(HttpViolation.MISSING_HOST)
            .allow(HttpViolation.NON_ASCII_TARGET)
            .allow(HttpViolation.FRAGMENT_IN_TARGET)
            .allow(HttpViolation.LF_IN_REQUEST_HEAD)
            .allow(HttpViolation.LF_IN_RESPONSE_HEAD)
            .allow(HttpViolation.FOLDED_REQUEST_HEADERS)
            .allow(HttpViolation.FOLDED_RESPONSE_HEADERS)
            .allow(HttpViolation.EQUAL_CONTENT_LENGTHS)
            .allow(HttpViolation.LENGTH_WITH_TRANSFER_ENCODING)
            .allow(HttpViolation.DRAFT_76_HANDSHAKES)
            .allow(HttpViolation.TRAILERS_AS_HEADERS)
            .build();

    static final HttpLimits DEFAULTS = named(System.getProperty(HttpLimits.DEFAULTS_PROPERTY));

    /** The last result of {@link #defaultsWith}: most servers create all codecs with the same numbers. */
    private static volatile HttpLimits lastDerived = DEFAULTS;

    private LimitSets() {}

    /** @param name null for what this build of Freshet has as its defaults */
    static HttpLimits named(String name) {
        if (name == null) {
            return HttpDefaults.of(STANDARD);
        }
        switch (name) {
            case "standard":
                return STANDARD;
            case "strict":
                return STRICT;
            case "netty3":
                return NETTY3;
            default:
                throw new IllegalArgumentException(
                        HttpLimits.DEFAULTS_PROPERTY + " must be standard, strict or netty3, but is: " + name);
        }
    }

    /** {@link HttpLimits#defaults()} with these three changed, for the constructors that Netty 3 has. */
    static HttpLimits defaultsWith(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        HttpLimits last = lastDerived;
        boolean isSame = maxInitialLineLength == last.maxInitialLineLength()
                && maxHeaderSize == last.maxHeaderSize()
                && maxChunkSize == last.maxChunkSize();
        if (isSame) {
            return last;
        }
        HttpLimits derived = DEFAULTS.toBuilder()
                .maxInitialLineLength(maxInitialLineLength)
                .maxHeaderSize(maxHeaderSize)
                .maxChunkSize(maxChunkSize)
                .build();
        lastDerived = derived;
        return derived;
    }
}
