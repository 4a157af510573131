package org.freshet.handler.codec.http.cookie;

/** With which requests of other sites a browser sends a cookie (RFC 6265bis 5.6.7). */
public enum SameSite {
    /** With none of them. */
    STRICT("Strict"),

    /** With navigations at the top level that change nothing, as following a link is. What browsers assume by default. */
    LAX("Lax"),

    /** With all of them; browsers then insist on {@code Secure}. */
    NONE("None");

    private final String attributeValue;

    SameSite(String attributeValue) {
        this.attributeValue = attributeValue;
    }

    /** The value as it stands in {@code Set-Cookie}. */
    public String attributeValue() {
        return attributeValue;
    }

    /** The one of that value, in any case, or null if there is none. */
    static SameSite of(String attributeValue) {
        for (SameSite one : values()) {
            if (one.attributeValue.equalsIgnoreCase(attributeValue)) {
                return one;
            }
        }
        return null;
    }
}
