/**
 * Messages waiting to be sent, and sending them: {@code WriteQueue}, one per channel, {@code StreamSender}, one per
 * worker, and {@code WriteLimits}.
 *
 * <p>It does not depend on channels: {@code Flusher}, in the parent package, decides when to send. The package is not
 * exported: its public members are for the parent package and
 * for {@code receive}.
 */
package org.freshet.channel.socket.nio.send;
