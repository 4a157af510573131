/**
 * Receiving bytes: {@code StreamReceiver} and {@code DatagramReceiver}, one per worker, and the receive options of a
 * connection, {@code ReceiveSetting}. {@code Memberships} holds a datagram channel's multicast groups.
 *
 * <p>It does not depend on channels. The package is not exported: its public members are for the parent package.
 */
package org.freshet.channel.socket.nio.receive;
