package org.freshet.handler.codec.http;

import java.util.Locale;
import java.util.Objects;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** The name and version of a protocol, such as {@code HTTP/1.1}. Immutable. */
public class HttpVersion implements Comparable<HttpVersion> {
    public static final HttpVersion HTTP_1_0 = new HttpVersion("HTTP", 1, 0, false);
    public static final HttpVersion HTTP_1_1 = new HttpVersion("HTTP", 1, 1, true);

    private final String protocolName;
    private final int majorVersion;
    private final int minorVersion;
    private final String text;
    private final boolean keepAliveDefault;

    /**
     * @param text such as {@code RTSP/1.0}; blanks around it are removed, and letters converted to upper case
     * @param keepAliveDefault whether a connection stays open unless a message says otherwise
     * @throws IllegalArgumentException if the text is not a name, a slash, and two numbers separated by a dot
     */
    public HttpVersion(String text, boolean keepAliveDefault) {
        String version =
                HeaderSyntax.withoutBlanks(Objects.requireNonNull(text, "text")).toUpperCase(Locale.ROOT);
        int slash = version.lastIndexOf('/');
        int dot = version.indexOf('.', slash + 1);
        if (slash <= 0 || dot < 0) {
            throw notAVersion(version);
        }
        this.protocolName = checkName(version.substring(0, slash));
        this.majorVersion = number(version, slash + 1, dot);
        this.minorVersion = number(version, dot + 1, version.length());
        this.text = protocolName + '/' + majorVersion + '.' + minorVersion;
        this.keepAliveDefault = keepAliveDefault;
    }

    /**
     * @param protocolName blanks around it are removed, and letters converted to upper case
     * @param majorVersion 0 or more
     * @param minorVersion 0 or more
     * @param keepAliveDefault whether a connection stays open unless a message says otherwise
     * @throws IllegalArgumentException if the name is not a token, or a number is negative
     */
    public HttpVersion(String protocolName, int majorVersion, int minorVersion, boolean keepAliveDefault) {
        String name = Objects.requireNonNull(protocolName, "protocolName");
        if (majorVersion < 0) {
            throw new IllegalArgumentException("majorVersion < 0: " + majorVersion);
        }
        if (minorVersion < 0) {
            throw new IllegalArgumentException("minorVersion < 0: " + minorVersion);
        }
        this.protocolName = checkName(HeaderSyntax.withoutBlanks(name).toUpperCase(Locale.ROOT));
        this.majorVersion = majorVersion;
        this.minorVersion = minorVersion;
        this.text = this.protocolName + '/' + majorVersion + '.' + minorVersion;
        this.keepAliveDefault = keepAliveDefault;
    }

    /**
     * Parses a version. Returns {@link #HTTP_1_0} and {@link #HTTP_1_1} for these two; any other version keeps
     * connections open by default.
     *
     * @throws IllegalArgumentException if the text is not a version, see the constructor
     */
    public static HttpVersion valueOf(String text) {
        HttpVersion constant = constant(text);
        if (constant != null) {
            return constant;
        }
        HttpVersion version = new HttpVersion(text, true);
        constant = constant(version.text);
        return constant == null ? version : constant;
    }

    private static HttpVersion constant(String text) {
        if (HTTP_1_1.text.equals(text)) {
            return HTTP_1_1;
        }
        return HTTP_1_0.text.equals(text) ? HTTP_1_0 : null;
    }

    private static String checkName(String name) {
        return HeaderSyntax.checkToken("a protocol's name", name);
    }

    private static int number(String version, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = version.charAt(i);
            if (c < '0' || c > '9' || i - from >= 9) {
                throw notAVersion(version);
            }
            value = value * 10 + c - '0';
        }
        if (from == to) {
            throw notAVersion(version);
        }
        return value;
    }

    private static IllegalArgumentException notAVersion(String version) {
        return new IllegalArgumentException(
                "not a version such as HTTP/1.1: \"" + HeaderSyntax.printable(version) + '"');
    }

    public String getProtocolName() {
        return protocolName;
    }

    public int getMajorVersion() {
        return majorVersion;
    }

    public int getMinorVersion() {
        return minorVersion;
    }

    /** Name, slash and version, as in a start line. */
    public String getText() {
        return text;
    }

    /** Whether a connection stays open unless a message says otherwise. */
    public boolean isKeepAliveDefault() {
        return keepAliveDefault;
    }

    /** Whether this is version 1.1 or later of any protocol. */
    boolean isAtLeast11() {
        return majorVersion > 1 || majorVersion == 1 && minorVersion >= 1;
    }

    @Override
    public String toString() {
        return text;
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public boolean equals(Object o) {
        return o == this || o instanceof HttpVersion && text.equals(((HttpVersion) o).text);
    }

    /** Orders by name, then by number. */
    @Override
    public int compareTo(HttpVersion o) {
        int byName = protocolName.compareTo(o.protocolName);
        int byMajor = byName != 0 ? byName : Integer.compare(majorVersion, o.majorVersion);
        return byMajor != 0 ? byMajor : Integer.compare(minorVersion, o.minorVersion);
    }
}
