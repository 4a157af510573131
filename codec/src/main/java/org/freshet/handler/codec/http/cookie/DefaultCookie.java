package org.freshet.handler.codec.http.cookie;

import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.HTTPONLY;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.SECURE;

import java.util.Locale;
import java.util.Objects;

/** The standard {@link Cookie}. Not thread-safe. */
public class DefaultCookie implements Cookie {
    private final String name;
    private String value;
    private boolean wrap;
    private String domain;
    private String path;
    private int maxAgeSeconds = Integer.MIN_VALUE;
    private boolean secure;
    private boolean httpOnly;
    private boolean partitioned;
    private SameSite sameSite;

    /**
     * @param name ASCII without blanks, controls and {@code = , ;}, not starting with {@code $}; surrounding blanks are
     *     removed
     * @throws IllegalArgumentException if the name is not valid
     */
    public DefaultCookie(String name, String value) {
        this.name = CookieSyntax.checkName(name);
        setValue(value);
    }

    /** For a name and value that a decoder has already checked. */
    DefaultCookie(String name, String value, boolean wrap) {
        this.name = name;
        this.value = value;
        this.wrap = wrap;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String value() {
        return value;
    }

    @Override
    public void setValue(String value) {
        this.value = Objects.requireNonNull(value, "value");
    }

    @Override
    public boolean wrap() {
        return wrap;
    }

    @Override
    public void setWrap(boolean wrap) {
        this.wrap = wrap;
    }

    @Override
    public String domain() {
        return domain;
    }

    @Override
    public void setDomain(String domain) {
        this.domain = validateValue("domain", domain);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void setPath(String path) {
        this.path = validateValue("path", path);
    }

    @Override
    public int maxAge() {
        return maxAgeSeconds;
    }

    @Override
    public void setMaxAge(int maxAgeSeconds) {
        this.maxAgeSeconds = maxAgeSeconds;
    }

    @Override
    public boolean isSecure() {
        return secure;
    }

    @Override
    public void setSecure(boolean secure) {
        this.secure = secure;
    }

    @Override
    public boolean isHttpOnly() {
        return httpOnly;
    }

    @Override
    public void setHttpOnly(boolean httpOnly) {
        this.httpOnly = httpOnly;
    }

    @Override
    public SameSite sameSite() {
        return sameSite;
    }

    @Override
    public void setSameSite(SameSite sameSite) {
        this.sameSite = sameSite;
    }

    @Override
    public boolean isPartitioned() {
        return partitioned;
    }

    @Override
    public void setPartitioned(boolean partitioned) {
        this.partitioned = partitioned;
    }

    /**
     * Checks the text of an attribute.
     *
     * @param name the attribute's name, for the exception's message
     * @return the text without surrounding blanks, or null if nothing is left
     * @throws IllegalArgumentException if the text contains a semicolon or a control character
     */
    protected String validateValue(String name, String value) {
        return CookieSyntax.checkAttribute(name, value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cookie cookie && compareTo(cookie) == 0;
    }

    @Override
    public int hashCode() {
        return name.toLowerCase(Locale.ROOT).hashCode();
    }

    /**
     * Orders by name, then path, then domain (ignoring case); a missing path or domain comes first. The case of a name
     * matters only if it begins with {@code __Host-} or {@code __Secure-}: browsers protect one spelling, and another
     * must not take its place.
     */
    @Override
    public int compareTo(Cookie other) {
        int order = name.compareToIgnoreCase(other.name());
        if (order == 0 && CookieSyntax.isPrefixed(name)) {
            order = name.compareTo(other.name());
        }
        if (order == 0) {
            order = compare(path, other.path(), false);
        }
        return order != 0 ? order : compare(domain, other.domain(), true);
    }

    private static int compare(String one, String another, boolean ignoreCase) {
        if (one == null || another == null) {
            return (one == null ? 0 : 1) - (another == null ? 0 : 1);
        }
        return ignoreCase ? one.compareToIgnoreCase(another) : one.compareTo(another);
    }

    /** For logs. Shows the value, which may be a secret. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name).append('=').append(value);
        appendIf(domain != null, text, "domain=" + domain);
        appendIf(path != null, text, "path=" + path);
        appendIf(maxAgeSeconds >= 0, text, "maxAge=" + maxAgeSeconds + 's');
        appendIf(secure, text, SECURE.toLowerCase(Locale.ROOT));
        appendIf(httpOnly, text, HTTPONLY);
        appendIf(sameSite != null, text, "SameSite=" + sameSite);
        appendIf(partitioned, text, "partitioned");
        return text.toString();
    }

    private static void appendIf(boolean present, StringBuilder text, String attribute) {
        if (present) {
            text.append(", ").append(attribute);
        }
    }
}
