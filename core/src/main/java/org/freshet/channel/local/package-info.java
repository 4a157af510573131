/**
 * Channels within one JVM: what one end writes the other receives, by reference, whatever it is. Start reading at {@link
 * org.freshet.channel.local.DefaultLocalServerChannelFactory}.
 *
 * <p>Servers and, if they like, clients bind a {@link org.freshet.channel.local.LocalAddress}; a name belongs to one channel
 * at a time. Events come in the same order as those of a socket. There is no I/O thread: a channel's events run on the threads
 * that cause them, one at a time; a thread that comes while another runs events of the channel leaves its own to that one. Two
 * ends may answer each other without end and the stack stays flat, but the thread whose write has started it runs their
 * events until there are none.
 *
 * <p>Messages arrive in the order in which they were written. A future of a write succeeds when the other end takes the
 * message to its pipeline. While that end does not want to read, messages are pending and count for the water marks (options
 * {@code writeBufferHighWaterMark} and {@code writeBufferLowWaterMark}): a buffer counts its readable bytes and 64 more, any
 * other message 1,024.
 *
 * <p>A channel that closes leaves its pending messages to the other end, as a socket leaves them to the system: their futures
 * succeed before the close future does, and the other end closes after it has taken them. If that end closes first, what it
 * has not taken is dropped, and what was still pending fails.
 *
 * <p>What there is not: bytes, so a {@link org.freshet.channel.FileRegion} arrives as it is, unread; and a connect that could
 * time out, as it is answered before it returns.
 */
package org.freshet.channel.local;
