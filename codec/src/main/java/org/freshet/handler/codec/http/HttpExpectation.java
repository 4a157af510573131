package org.freshet.handler.codec.http;

/**
 * What a request expects before its content is sent. Expectations in HTTP/1.0 requests are ignored, as RFC 9110 10.1.1
 * asks.
 */
public enum HttpExpectation {
    NONE,

    /** The client waits for {@code 100 Continue}, or for a final answer instead. */
    CONTINUE,

    /** An expectation that this server doesn't know; answer it with 417. */
    UNKNOWN;

    static HttpExpectation of(HeadFacts facts, boolean isVersion11) {
        if (!isVersion11) {
            return NONE;
        }
        if (facts.expectsOther()) {
            return UNKNOWN;
        }
        return facts.expectContinue() ? CONTINUE : NONE;
    }
}
