/**
 * Requests made to a channel and not yet carried out by its loop. {@code StateRequest} is any request but a write.
 * {@code RequestRun} carries out the requests of connections and datagram channels in order, {@code ServerRequestQueue}
 * those of listening channels. They know a channel by an interface of a few methods, and do not import the parent
 * package. The package is not exported.
 */
package org.freshet.channel.socket.nio.request;
