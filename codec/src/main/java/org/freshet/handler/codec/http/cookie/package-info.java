/**
 * Cookies according to RFC 6265, with the attributes that browsers have added since
 * ({@link org.freshet.handler.codec.http.cookie.SameSite SameSite}, Partitioned).
 *
 * <p>A server reads {@code Cookie} headers with {@link org.freshet.handler.codec.http.cookie.ServerCookieDecoder} and
 * creates {@code Set-Cookie} headers with {@link org.freshet.handler.codec.http.cookie.ServerCookieEncoder}; a client
 * does the opposite. Each comes in two versions: {@code STRICT} accepts only the characters of RFC 6265, {@code LAX}
 * accepts what browsers accept.
 */
package org.freshet.handler.codec.http.cookie;
