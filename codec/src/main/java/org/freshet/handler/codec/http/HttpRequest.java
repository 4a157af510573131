package org.freshet.handler.codec.http;

/** A request. */
public interface HttpRequest extends HttpMessage {
    HttpMethod getMethod();

    /** @throws NullPointerException if the method is null */
    void setMethod(HttpMethod method);

    /** The target exactly as in the request line, not decoded: usually a path with its query. */
    String getUri();

    /**
     * @throws NullPointerException if the URI is null
     * @throws IllegalArgumentException if the URI contains a blank, a control or a character past Latin-1: these would
     *     end the request line or change its meaning
     */
    void setUri(String uri);
}
