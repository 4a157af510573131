/**
 * TCP and UDP channels, as every transport offers them, and their settings.
 *
 * <p>Start with {@link org.freshet.channel.socket.SocketChannelConfig} for the settings of a connection, and with
 * {@link org.freshet.channel.ChannelOption} for units, ranges and defaults. The transports that implement the interfaces are separate
 * modules.
 */
package org.freshet.channel.socket;
