package org.freshet.handler.codec.http.cookie;

/** Controls which cross-site requests a browser sends a cookie with (RFC 6265bis 5.6.7). */
public enum SameSite {
    /** None of them. */
    STRICT("Strict"),

    /** Only safe top-level navigations, such as following a link. Browsers assume this by default. */
    LAX("Lax"),

    /** All of them. Browsers then require {@code Secure}. */
    NONE("None");

    private final String attributeValue;

    SameSite(String attributeValue) {
        this.attributeValue = attributeValue;
    }

    /** The value as written in {@code Set-Cookie}. */
    public String attributeValue() {
        return attributeValue;
    }

    /** The constant with this value, ignoring case; null for an unknown value. */
    static SameSite of(String attributeValue) {
        for (SameSite one : values()) {
            if (one.attributeValue.equalsIgnoreCase(attributeValue)) {
                return one;
            }
        }
        return null;
    }
}
