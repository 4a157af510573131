/**
 * Channels within one JVM: each end receives the objects that the other writes, by reference. Start reading at
 * {@link org.freshet.channel.local.DefaultLocalServerChannelFactory}.
 *
 * <p>Servers and, optionally, clients bind a {@link org.freshet.channel.local.LocalAddress}; a name belongs to one channel at a time.
 * Events come in the same order as for a socket. There is no I/O thread: a channel's events run on the threads that cause them, one at a
 * time. If another thread is already running the channel's events, a thread leaves its own to that one. Two ends can answer each other
 * endlessly without growing the stack, but the thread whose write started it runs their events until no more follow.
 *
 * <p>Messages arrive in the order in which they were written. The future of a write succeeds when the other end takes the message to its
 * pipeline. While that end is not reading, messages are pending and count for the water marks (options {@code writeBufferHighWaterMark} and
 * {@code writeBufferLowWaterMark}) as {@link org.freshet.channel.WriteAccount#bytesOf} says.
 *
 * <p>A channel that closes leaves its pending messages to the other end, as a socket leaves them to the system: their futures succeed
 * before the close future does, and the other end closes after it has taken them. If that end closes first, messages it has not taken are
 * dropped, and pending ones fail.
 *
 * <p>Two things are missing compared with sockets. There are no bytes, so a {@link org.freshet.channel.FileRegion} arrives as it is,
 * unread. And a connect never waits, so it cannot time out.
 */
package org.freshet.channel.local;
