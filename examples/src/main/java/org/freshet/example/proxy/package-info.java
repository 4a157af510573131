/**
 * Proxies that hold no more than a little, however slow a side reads: one to a fixed target ({@code TcpProxyServer}), one that
 * clients ask for a target by SOCKS or CONNECT ({@code ProxyServer}), and a client that uses such a one. Read {@code
 * RelayHandler} first.
 */
package org.freshet.example.proxy;
