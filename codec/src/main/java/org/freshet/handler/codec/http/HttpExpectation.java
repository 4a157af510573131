package org.freshet.handler.codec.http;

/** What a request wants to be told before it sends its content. Expectations of HTTP/1.0 are ignored, as its clients do not know them. */
public enum HttpExpectation {
    NONE,

    /** The client waits for {@code 100 Continue}, or for a final answer instead. */
    CONTINUE,

    /** Something that no server knows, to be answered with 417. */
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
