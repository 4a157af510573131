/**
 * What a channel was asked to do and its loop has not done: {@code StateRequest} is everything but a write. {@code RequestRun} carries out the
 * requests of connections and datagram channels in their order, {@code ServerRequestQueue} those of listening channels. They know a channel
 * by an interface of a few methods, and import nothing from the package above. The package is not exported.
 */
package org.freshet.channel.socket.nio.request;
