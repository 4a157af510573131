/**
 * HPACK, the compression of HTTP/2 header fields (RFC 7541). Independent of frames and messages: the decoder takes the octets
 * of a complete field block, and the encoder produces them. Callers check the characters of names and values. Not exported.
 */
package org.freshet.handler.codec.http2.hpack;
