/**
 * The selector-driven transport.
 *
 * <p>Start at {@link org.freshet.channel.socket.nio.NioServerSocketChannelFactory},
 * {@link org.freshet.channel.socket.nio.NioClientSocketChannelFactory} and
 * {@link org.freshet.channel.socket.nio.NioDatagramChannelFactory}.
 * {@link org.freshet.channel.socket.nio.NioUnixServerChannelFactory} and
 * {@link org.freshet.channel.socket.nio.NioUnixClientChannelFactory} are for Unix domain sockets.
 *
 * <p>To read the code, start at {@code NioLoop}, whose {@code runTurn} is one iteration of every boss and worker. The
 * rest by role, in each line from the center outwards:
 *
 * <ul>
 *   <li>the loop: {@code NioLoop} (its iteration), {@code LoopChannels} (requests of channels within a turn), and the
 *       parts in package {@code loop};
 *   <li>its four kinds: {@code NioServerBoss}, {@code NioClientBoss}, {@code NioWorker}, {@code NioDatagramWorker}, each
 *       with a pool; {@code LoopPool} is the base of the pools, {@code PooledFactory} the base of the factories that end
 *       them; package {@code pool};
 *   <li>channels: {@code KeyedChannel} (the key), {@code NioChannel} (the order of requests, the close), {@code
 *       CloseSequence}, {@code NioStreamChannel} for TCP and Unix domain sockets, {@code NioDatagramChannel}, {@code
 *       SocketFile};
 *   <li>connecting: {@code PendingConnect}, which is a {@code ConnectAttempt} to one address or a {@code NamedConnect} to
 *       a host;
 *   <li>accepting: {@code NioListener}, and package {@code accept};
 *   <li>requests: {@code NioSink} and its siblings, and package {@code request};
 *   <li>writing: {@code Flusher} (when to send), package {@code send} (what to send, and how over TCP), {@code
 *       DatagramSender}, {@code BrokenOutputs} (after a reset);
 *   <li>reading: package {@code receive};
 *   <li>options: {@code NioOptions}, the {@code ...Config} interfaces and classes.
 * </ul>
 *
 * <p>The subpackages are not exported and do not import this package.
 *
 * <p>This transport does not support out-of-band data.
 */
package org.freshet.channel.socket.nio;
