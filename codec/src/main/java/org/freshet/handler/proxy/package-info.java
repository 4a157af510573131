/**
 * Client handlers that connect through a proxy: {@link org.freshet.handler.proxy.HttpProxyHandler},
 * {@link org.freshet.handler.proxy.Socks5ProxyHandler} and {@link org.freshet.handler.proxy.Socks4ProxyHandler}. Start with
 * {@link org.freshet.handler.proxy.ProxyHandler}, which describes what they have in common.
 */
package org.freshet.handler.proxy;
