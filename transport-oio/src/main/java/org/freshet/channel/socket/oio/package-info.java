/**
 * The blocking transport: one thread a connection, on {@code java.net} sockets. Start reading at {@link
 * org.freshet.channel.socket.oio.OioServerSocketChannelFactory}.
 *
 * <p><b>Which thread runs what.</b> A channel's I/O thread connects, reads, and fires the events of that. It cannot be reached
 * while it is blocked in a read, so the events that others cause (writeComplete, interestChanged, tasks of {@link
 * org.freshet.channel.ChannelPipeline#execute}) run on the thread that causes them. Still a handler never sees two events of
 * one channel at a time: events take turns, whoever brings one while another runs leaves it to that thread, and the I/O
 * thread waits its turn before it passes a message on. The last events (disconnected, unbound, closed) run on the I/O
 * thread, once it has one.
 *
 * <p><b>What blocks.</b> {@code write} returns when the message has been handed to the system or has failed, and its future
 * is completed by then. When several threads write to one channel they take turns in the order of their calls; a thread
 * whose turn has not come waits, so a slow peer slows its writers down instead of filling the heap. The exception is a
 * write from a listener of a write's future, which is sent when the listeners have returned. A channel is therefore always
 * {@linkplain org.freshet.channel.Channel#isWritable() writable} as far as the transport goes. Everything else returns at
 * once; {@code close} makes blocked threads return.
 *
 * <p><b>What follows from that.</b> Two peers that both write from their handlers, and both stop reading while they write, wait
 * for each other for ever once the system's buffers are full: that is the nature of blocking I/O, and closing one end is the
 * way out. {@code setReadable(false)} holds back what has been read at that moment, at most one message. The end of
 * the peer's stream closes the channel, after what other threads were writing just then has left.
 *
 * <p><b>Datagrams.</b> A channel joins groups from any source; to choose or to block sources takes the NIO transport. A datagram
 * that is larger than the predictor foresaw is reported to exceptionCaught and dropped.
 *
 * <p><b>Virtual threads.</b> Nothing here holds a monitor or a lock while it blocks, so that a virtual thread gives its
 * carrier back. To interrupt a virtual thread that is blocked on a socket closes that socket, as the JDK has it.
 */
package org.freshet.channel.socket.oio;
