/**
 * The blocking transport: one thread per connection, on {@code java.net} sockets. Start reading at
 * {@link org.freshet.channel.socket.oio.OioServerSocketChannelFactory}.
 *
 * <p><b>Threads.</b> A channel's I/O thread connects, reads, and fires the resulting events. While it is blocked in a
 * read it runs no tasks, so events caused by other threads (writeComplete, interestChanged, tasks of
 * {@link org.freshet.channel.ChannelPipeline#execute}) run on those threads. Still, a handler never sees two events of
 * one channel at the same time. An event caused while another thread runs one is run by that thread, and the I/O thread
 * waits before it passes a message on. The last events (disconnected, unbound, closed) run on the I/O thread, if there
 * is one.
 *
 * <p><b>Blocking.</b> {@code write} returns when the message has been handed to the system or has failed; its future is
 * completed by then. Several threads that write to one channel write in call order, each waiting until its message was
 * sent. So a slow peer slows its writers down instead of filling the heap. The exception is a write from a listener of
 * a write's future: it is sent when the listeners have returned. A channel is therefore always
 * {@link org.freshet.channel.Channel#isWritable() writable} as far as the transport is concerned. Everything else
 * returns immediately, and {@code close} makes blocked threads return.
 *
 * <p><b>Time-outs.</b> While a handler is blocked in a write to its channel, idle, read and write time-outs still fire,
 * on the timer's thread, as if the handler had called them from within its write. Their own writes are queued after the
 * blocked message, without waiting for it. A write time-out ({@link org.freshet.handler.timeout.WriteTimeoutHandler})
 * fails the write and closes the channel, whichever thread is blocked.
 *
 * <p><b>Consequences.</b> If two peers both write from their handlers, neither reads while it writes. As always with
 * blocking I/O, they wait for each other forever once the system's buffers are full; only closing one end resolves
 * that. {@code setReadable(false)} holds back data already read at that moment, at most one message. The end of the
 * peer's stream closes the channel, after the writes in progress on other threads. If a write finds that the peer has
 * reset the connection, later writes fail, and the I/O thread reads the data that had arrived before it closes the
 * channel.
 *
 * <p><b>Datagrams.</b> A channel joins groups for any source; to select or block sources, use the NIO transport. A
 * datagram larger than the predicted size is reported to exceptionCaught and dropped.
 *
 * <p><b>Interrupts.</b> Don't interrupt a thread that reads from or writes to a channel. The JDK closes the socket of a
 * virtual thread interrupted while blocked on it, and virtual threads are the default from Java 21 on. The connection
 * is lost, and the interrupted write fails. Platform threads of your own executor keep the connection and ignore the
 * interrupt.
 *
 * <p><b>Virtual threads.</b> Nothing here holds a monitor or a lock while it blocks, so a virtual thread releases its
 * carrier.
 */
package org.freshet.channel.socket.oio;
