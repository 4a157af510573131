/**
 * SOCKS 5 (RFC 1928) with passwords (RFC 1929), SOCKS 4 and SOCKS 4a: the messages before the relayed bytes.
 *
 * <p>Each decoder decodes one message and removes itself from the pipeline. The handler that receives the message adds
 * the decoder for the next one, or a relay. Bytes after the message go to the handler that then has the decoder's
 * place. {@link org.freshet.handler.codec.socks.SocksMessageEncoder} encodes the messages of both sides and all
 * versions.
 *
 * <p>A SOCKS 5 server starts with {@link org.freshet.handler.codec.socks.SocksInitRequestDecoder}, a SOCKS 4 server
 * with {@link org.freshet.handler.codec.socks.Socks4RequestDecoder}; the first byte, 5 or 4, tells them apart. Clients
 * use {@link org.freshet.handler.proxy}.
 */
package org.freshet.handler.codec.socks;
