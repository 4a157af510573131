/**
 * The selector-driven transport.
 *
 * <p>Users start at {@link org.freshet.channel.socket.nio.NioServerSocketChannelFactory}, {@link
 * org.freshet.channel.socket.nio.NioClientSocketChannelFactory} and {@link
 * org.freshet.channel.socket.nio.NioDatagramChannelFactory}. Readers of the code start at {@code NioLoop}, whose turn is
 * one iteration of every boss and worker, then {@code NioChannel} for the order of requests, {@code Flusher} for when writes are
 * sent, {@code NioSocketChannel} for the life of a connection and {@code NioDatagramChannel} for UDP.
 *
 * <p>What this transport does not do: half-closed connections (the end of the peer's stream closes the channel, after what is
 * queued has had one chance to leave), and out-of-band data.
 */
package org.freshet.channel.socket.nio;
