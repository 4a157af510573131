/**
 * How bytes are received: {@code StreamReceiver} and {@code DatagramReceiver}, one a worker, and what a connection may have set about
 * it: {@code ReceiveSetting}. {@code Memberships} are a datagram channel's multicast groups.
 *
 * <p>Knows no channel. The package is not exported: what is public here is for the package above.
 */
package org.freshet.channel.socket.nio.receive;
