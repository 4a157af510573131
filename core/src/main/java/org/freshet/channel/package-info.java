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
 *
 * <p>For readers of the code, the classes behind these by subject:
 *
 * <ul>
 *   <li>what waits to be sent: {@code AccountedChannel} counts it and {@code WriteAccount} is how others reach the count; {@code Handover}
 *       is the part that travels with a message; {@code MemoryBudget} is the limit of the process, {@code Holders} are the
 *       channels with much, and {@code Backlogs} how much at a moment;
 *   <li>pipelines: {@code DefaultChannelPipeline} on {@code OwningContextList} and {@code ContextList}; {@code
 *       DefaultChannelHandlerContext} passes an event on; {@code UnattachedSink} stands in until there is a channel;
 *   <li>handlers: {@code UpstreamMethods} and {@code DownstreamMethods} choose the method for an event; {@code HandlerOwnership}, {@code
 *       OwnableHandler} and {@code Sharability} decide which pipelines a handler may be in; {@code MessageTreatment} says whether it may
 *       borrow reads; {@code LifeCycle} and {@code Failures} deal with what it throws; {@code CheckedCalls} has {@code internal.race} find handlers used by two threads;
 *   <li>futures: {@code DefaultChannelFuture}, {@code ListenerCalls}, {@code CompletableView}, and {@code UnobservedFailures}, which counts
 *       failures without a listener;
 *   <li>per-channel values: {@code LocalKey} and {@code WeakChannelMap}, behind {@code ChannelLocal};
 *   <li>scopes: {@code ChannelScopes};
 *   <li>options: {@code CommonOptions} and {@code ChannelDefaults}, behind {@code DefaultChannelConfig}.
 * </ul>
 */
package org.freshet.channel;
