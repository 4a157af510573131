/**
 * The selector-driven transport.
 *
 * <p>Users start at {@link org.freshet.channel.socket.nio.NioServerSocketChannelFactory}, {@link
 * org.freshet.channel.socket.nio.NioClientSocketChannelFactory} and {@link
 * org.freshet.channel.socket.nio.NioDatagramChannelFactory}; {@link org.freshet.channel.socket.nio.NioUnixServerChannelFactory} and {@link
 * org.freshet.channel.socket.nio.NioUnixClientChannelFactory} are for Unix domain sockets.
 *
 * <p>Readers of the code start at {@code NioLoop}, whose {@code runTurn} is one iteration of every boss and worker. The rest by role,
 * in each line from the center outwards:
 *
 * <ul>
 *   <li>the loop: {@code NioLoop} (its iteration), {@code LoopChannels} (what channels ask for within a turn), and the package
 *       {@code loop}, of which it is made;
 *   <li>its four kinds: {@code NioServerBoss}, {@code NioClientBoss}, {@code NioWorker}, {@code NioDatagramWorker}, each with a pool;
 *       {@code LoopPool} is the base of the pools, {@code PooledFactory} that of the factories, which end them; the package {@code pool};
 *   <li>channels: {@code KeyedChannel} (the key), {@code NioChannel} (the order of requests, the close), {@code CloseSequence}, {@code
 *       NioStreamChannel} for TCP and Unix domain sockets, {@code NioDatagramChannel}, {@code SocketFile};
 *   <li>connecting: {@code PendingConnect}, which is a {@code ConnectAttempt} to one address or a {@code NamedConnect} to a host;
 *   <li>accepting: {@code NioListener}, and the package {@code accept};
 *   <li>requests: {@code NioSink} and its siblings, and the package {@code request};
 *   <li>writing: {@code Flusher} (when), the package {@code send} (what, and how over TCP), {@code DatagramSender},
 *       {@code BrokenOutputs} (what follows a reset);
 *   <li>reading: the package {@code receive};
 *   <li>options: {@code NioOptions}, the {@code ...Config} interfaces and classes.
 * </ul>
 *
 * <p>The packages below this one are not exported and import nothing from here.
 *
 * <p>What this transport does not do: out-of-band data.
 */
package org.freshet.channel.socket.nio;
