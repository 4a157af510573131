/**
 * Opens channels: {@link org.freshet.bootstrap.ServerBootstrap} for servers, {@link org.freshet.bootstrap.ClientBootstrap} for client
 * connections, {@link org.freshet.bootstrap.ConnectionlessBootstrap} for datagrams.
 *
 * <p>A bootstrap combines a channel factory (the transport), a pipeline (what the channel does) and options (how the socket is configured),
 * and creates any number of channels. Start with {@link org.freshet.bootstrap.Bootstrap}, which holds these three.
 */
package org.freshet.bootstrap;
