package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** A request method (RFC 9110 9). Names are case-sensitive. Immutable. */
public class HttpMethod implements Comparable<HttpMethod> {
    public static final HttpMethod OPTIONS = new HttpMethod("OPTIONS");
    public static final HttpMethod GET = new HttpMethod("GET");
    public static final HttpMethod HEAD = new HttpMethod("HEAD");
    public static final HttpMethod POST = new HttpMethod("POST");
    public static final HttpMethod PUT = new HttpMethod("PUT");

    /** RFC 5789. */
    public static final HttpMethod PATCH = new HttpMethod("PATCH");

    public static final HttpMethod DELETE = new HttpMethod("DELETE");
    public static final HttpMethod TRACE = new HttpMethod("TRACE");
    public static final HttpMethod CONNECT = new HttpMethod("CONNECT");

    private final String name;

    /**
     * @param name a token; blanks around it are removed
     * @throws IllegalArgumentException if it is not a token
     */
    public HttpMethod(String name) {
        this.name = HeaderSyntax.checkToken(
                "a method's name", HeaderSyntax.withoutBlanks(Objects.requireNonNull(name, "name")));
    }

    /**
     * Returns the method with this name; the constant if there is one.
     *
     * @throws IllegalArgumentException if the name is not a token
     */
    public static HttpMethod valueOf(String name) {
        HttpMethod constant = constant(name);
        if (constant == null) {
            constant = constant(HeaderSyntax.withoutBlanks(name));
        }
        return constant == null ? new HttpMethod(name) : constant;
    }

    private static HttpMethod constant(String name) {
        switch (name) {
            case "GET":
                return GET;
            case "POST":
                return POST;
            case "HEAD":
                return HEAD;
            case "PUT":
                return PUT;
            case "DELETE":
                return DELETE;
            case "OPTIONS":
                return OPTIONS;
            case "PATCH":
                return PATCH;
            case "CONNECT":
                return CONNECT;
            case "TRACE":
                return TRACE;
            default:
                return null;
        }
    }

    public String getName() {
        return name;
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof HttpMethod && name.equals(((HttpMethod) o).name);
    }

    @Override
    public int compareTo(HttpMethod o) {
        return name.compareTo(o.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
