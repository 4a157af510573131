/**
 * HPACK, the compression of header fields in HTTP/2 (RFC 7541). Knows no frame and no message: a decoder takes the octets of
 * a whole field block, an encoder makes them. What names and values may hold is checked by those who use it. Not exported.
 */
package org.freshet.handler.codec.http2.hpack;
