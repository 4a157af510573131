package org.freshet.handler.codec.http;

/** What a client asks for. */
public interface HttpRequest extends HttpMessage {
    HttpMethod getMethod();

    /** @throws NullPointerException if the method is null */
    void setMethod(HttpMethod method);

    /** The target as it stands in the request line, not decoded: mostly a path with its query. */
    String getUri();

    /**
     * @throws NullPointerException if it is null
     * @throws IllegalArgumentException if it holds a blank, a control or a character past Latin-1, which would end the
     *     request line or change its meaning
     */
    void setUri(String uri);
}
