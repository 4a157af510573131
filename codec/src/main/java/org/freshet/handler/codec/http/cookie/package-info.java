/**
 * Cookies by RFC 6265, with the attributes that browsers have added since ({@link org.freshet.handler.codec.http.cookie.SameSite
 * SameSite}, Partitioned).
 *
 * <p>A server reads the {@code Cookie} header by {@link org.freshet.handler.codec.http.cookie.ServerCookieDecoder} and makes
 * {@code Set-Cookie} headers by {@link org.freshet.handler.codec.http.cookie.ServerCookieEncoder}; a client does the opposite. Each of
 * them is {@code STRICT}, which keeps to the characters of RFC 6265, or {@code LAX}, which takes what browsers take.
 */
package org.freshet.handler.codec.http.cookie;
