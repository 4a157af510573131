/**
 * TLS. Start with {@link org.freshet.handler.ssl.SslContextBuilder}, which creates a context for a server or a client. The
 * context creates an {@link org.freshet.handler.ssl.SslHandler} for each connection; put it first in the pipeline. For a server
 * with several names, put an {@link org.freshet.handler.ssl.SniHandler} there instead.
 */
package org.freshet.handler.ssl;
