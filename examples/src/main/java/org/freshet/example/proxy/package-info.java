/**
 * Proxies that buffer little, however slow one side reads: one with a fixed target ({@code TcpProxyServer}), one whose
 * clients name a target with SOCKS or CONNECT ({@code ProxyServer}), and a client for the latter. Read
 * {@code RelayHandler} first.
 */
package org.freshet.example.proxy;
