/**
 * The PROXY protocol: a load balancer tells a server where a connection came from. Start with
 * {@link org.freshet.handler.codec.proxyprotocol.ProxyProtocolDecoder} for a server, and with
 * {@link org.freshet.handler.codec.proxyprotocol.ProxyProtocolEncoder} for a load balancer or proxy.
 */
package org.freshet.handler.codec.proxyprotocol;
