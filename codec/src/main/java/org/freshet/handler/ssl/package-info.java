/**
 * TLS. Start with {@link org.freshet.handler.ssl.SslContextBuilder}, which makes a context for a server or a client; the
 * context makes an {@link org.freshet.handler.ssl.SslHandler} for each connection, which goes first into its pipeline. A
 * server with several names puts an {@link org.freshet.handler.ssl.SniHandler} there instead.
 */
package org.freshet.handler.ssl;
