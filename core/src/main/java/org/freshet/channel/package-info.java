/**
 * Channels, the futures of their operations, and the pipelines of handlers between a channel and its transport. Read in this
 * order:
 *
 * <ol>
 *   <li>{@link org.freshet.channel.Channel}: the operations; each returns a {@link
 *       org.freshet.channel.ChannelFuture}.
 *   <li>{@link org.freshet.channel.ChannelPipeline}: how an event travels through the handlers of a channel. The events are
 *       the types below {@link org.freshet.channel.ChannelEvent}.
 *   <li>{@link org.freshet.channel.SimpleChannelHandler}: what most handlers extend. {@link
 *       org.freshet.channel.ChannelHandler} says which handlers may be shared.
 *   <li>{@link org.freshet.channel.Channels}: sends events, for handlers and transports.
 * </ol>
 *
 * <p>A handler stores what it keeps for each channel in a {@link org.freshet.channel.ChannelLocal}; options are set in the
 * channel's {@link org.freshet.channel.ChannelConfig} by the constants of {@link org.freshet.channel.ChannelOption}.
 *
 * <p>A transport provides a {@link org.freshet.channel.ChannelFactory}, channels that extend {@link
 * org.freshet.channel.AbstractChannel}, and a {@link org.freshet.channel.ChannelSink} that carries out what comes down the
 * pipeline. It sends upstream what happens, on the channel's I/O thread, and completes every future once.
 */
package org.freshet.channel;
