/** An HTTP server on a Unix domain socket. Start with {@link org.freshet.example.unixsocket.UnixSocket}. */
package org.freshet.example.unixsocket;
