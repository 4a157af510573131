/**
 * The selector-driven transport.
 *
 * <p>Users start at {@link org.freshet.channel.socket.nio.NioServerSocketChannelFactory}, {@link
 * org.freshet.channel.socket.nio.NioClientSocketChannelFactory} and {@link
 * org.freshet.channel.socket.nio.NioDatagramChannelFactory}.
 *
 * <p>Readers of the code start at {@code NioLoop}, whose {@code runTurn} is one iteration of every boss and worker. The rest by role,
 * in each line from the center outwards:
 *
 * <ul>
 *   <li>the loop: {@code NioLoop} (its iteration), {@code LoopThread} (its life), {@code TaskQueue} (what other threads leave for it),
 *       {@code LoopSelector} with {@code SpinGuard} (waiting, waking up, replacing the selector), {@code LoopChannels} (what channels
 *       ask for within a turn), {@code Deadlines}, {@code LoopRecovery} with {@code BrokenChannels} (what failed for want of memory),
 *       {@code Platform} (clock and selectors, for tests), {@code LoopChannel} (what a loop knows of a channel);
 *   <li>its four kinds: {@code NioServerBoss}, {@code NioClientBoss}, {@code NioWorker}, {@code NioDatagramWorker}, each with a pool;
 *       {@code LoopPool} is the base of the pools, {@code PoolRelease} how factories end them;
 *   <li>channels: {@code NioChannel} (the order of requests, the key, the close), {@code CloseSequence}, {@code NioSocketChannel}, {@code
 *       NioDatagramChannel}, {@code NioServerSocketChannel}, {@code ConnectAttempt};
 *   <li>requests: {@code NioSink} and its siblings, {@code StateRequest}, {@code RequestRun}, {@code Nesting};
 *   <li>writing: {@code Flusher} (when), {@code WriteQueue} (what), {@code StreamSender} and {@code DatagramSender} (how);
 *   <li>reading: {@code StreamReceiver}, {@code DatagramReceiver}, {@code ReceiveSetting}, {@code ReceiveBufferTuner};
 *   <li>options: {@code NioOptions}, the {@code ...Config} interfaces and classes, {@code WriteLimits}.
 * </ul>
 *
 * <p>What this transport does not do: half-closed connections (the end of the peer's stream closes the channel, after what is
 * queued has had one chance to leave), and out-of-band data.
 */
package org.freshet.channel.socket.nio;
