/**
 * SOCKS 5 (RFC 1928) with passwords (RFC 1929), SOCKS 4 and SOCKS 4a: the messages that come before the relayed bytes.
 *
 * <p>Each decoder decodes one message and removes itself from the pipeline. The handler that receives the message adds what
 * decodes the next one, or what relays. Bytes that follow the message go to the handler that is then in the decoder's place.
 * {@link org.freshet.handler.codec.socks.SocksMessageEncoder} encodes the messages of both sides and all versions.
 *
 * <p>A server for SOCKS 5 starts with {@link org.freshet.handler.codec.socks.SocksInitRequestDecoder}, one for SOCKS 4 with
 * {@link org.freshet.handler.codec.socks.Socks4RequestDecoder}; the first byte, 5 or 4, tells them apart. For clients there is
 * {@link org.freshet.handler.proxy}.
 */
package org.freshet.handler.codec.socks;
