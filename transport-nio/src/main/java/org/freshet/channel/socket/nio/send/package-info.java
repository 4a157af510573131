/**
 * What waits to be sent and how it is sent: {@code WriteQueue}, one a channel, {@code StreamSender}, one a worker, and {@code
 * WriteLimits}.
 *
 * <p>Knows no channel: when something is sent is decided by {@code Flusher}, in the package above. The package is not exported: what is
 * public here is for that one.
 */
package org.freshet.channel.socket.nio.send;
