/**
 * The blocking transport: one thread a connection, on {@code java.net} sockets. Start reading at {@link
 * org.freshet.channel.socket.oio.OioServerSocketChannelFactory}.
 *
 * <p><b>Which thread runs what.</b> A channel's I/O thread connects, reads, and fires the events of that. It runs no tasks
 * while it is blocked in a read, so the events that other threads cause (writeComplete, interestChanged, tasks of {@link
 * org.freshet.channel.ChannelPipeline#execute}) run on those threads. Still a handler never sees two events of one channel at a
 * time: an event caused while another thread runs one is run by that thread, and the I/O thread waits before it passes a
 * message on. The last events (disconnected, unbound, closed) run on the I/O thread, if there is one.
 *
 * <p><b>What blocks.</b> {@code write} returns when the message has been handed to the system or has failed, and its future
 * is completed by then. Several threads that write to one channel write in the order of their calls, each waiting until its
 * message was sent, so a slow peer slows its writers down instead of filling the heap. The exception is a
 * write from a listener of a write's future, which is sent when the listeners have returned. A channel is therefore always
 * {@link org.freshet.channel.Channel#isWritable() writable} as far as the transport goes. Everything else returns at
 * once; {@code close} makes blocked threads return.
 *
 * <p><b>Time-outs.</b> While a handler is blocked in a write to its channel, idle, read and write time-outs still fire: on the
 * timer's thread, as though the handler had called them from within its write. What they write is queued behind the blocked
 * message, without waiting for it. A write time-out ({@link org.freshet.handler.timeout.WriteTimeoutHandler}) fails the write
 * and closes the channel, whichever thread is blocked.
 *
 * <p><b>Consequences.</b> Two peers that both write from their handlers, and so stop reading while they write, wait for each
 * other for ever once the system's buffers are full, as blocking I/O does; only closing one end resolves that. {@code
 * setReadable(false)} holds back what has been read at that moment, at most one message. The end of the peer's stream closes
 * the channel, after the writes in progress on other threads. If a write finds that the peer has reset the connection, later writes
 * fail, and the I/O thread reads what had arrived before it closes the channel.
 *
 * <p><b>Datagrams.</b> A channel joins groups from any source; to choose or to block sources takes the NIO transport. A
 * datagram larger than the predicted size is reported to exceptionCaught and dropped.
 *
 * <p><b>Interrupts.</b> Do not interrupt a thread that reads from or writes to a channel: the JDK closes the socket of a
 * virtual thread that is interrupted while it is blocked there, and virtual threads are the default from Java 21 on. The
 * connection is lost, and the interrupted write fails. Platform threads of your own executor keep the connection and ignore the
 * interrupt.
 *
 * <p><b>Virtual threads.</b> Nothing here holds a monitor or a lock while it blocks, so that a virtual thread gives its
 * carrier back.
 */
package org.freshet.channel.socket.oio;
