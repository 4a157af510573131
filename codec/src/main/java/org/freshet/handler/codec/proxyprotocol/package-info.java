/**
 * The PROXY protocol, by which a load balancer tells a server where a connection came from. Start with {@link
 * org.freshet.handler.codec.proxyprotocol.ProxyProtocolDecoder} for a server, and {@link
 * org.freshet.handler.codec.proxyprotocol.ProxyProtocolEncoder} for what stands in front of one.
 */
package org.freshet.handler.codec.proxyprotocol;
