/**
 * Channels, the futures of their operations, and the pipelines of handlers between a channel and its transport. Read in this
 * order:
 *
 * <ol>
 *   <li>{@link org.freshet.channel.Channel}: the operations; each returns a {@link
 *       org.freshet.channel.ChannelFuture}.
 *   <li>{@link org.freshet.channel.ChannelPipeline}: how an event travels through the handlers of a channel. The events are
 *       the subtypes of {@link org.freshet.channel.ChannelEvent}.
 *   <li>{@link org.freshet.channel.SimpleChannelHandler}: the base class of most handlers. {@link
 *       org.freshet.channel.ChannelHandler} says which handlers can be shared.
 *   <li>{@link org.freshet.channel.Channels}: sends events, for handlers and transports.
 * </ol>
 *
 * <p>Handlers keep state per channel in a {@link org.freshet.channel.ChannelLocal}. Options are set on the channel's {@link
 * org.freshet.channel.ChannelConfig} with the constants of {@link org.freshet.channel.ChannelOption}.
 *
 * <p>A transport provides a {@link org.freshet.channel.ChannelFactory}, channels that extend {@link
 * org.freshet.channel.AbstractChannel}, and a {@link org.freshet.channel.ChannelSink} that carries out the requests coming down
 * the pipeline. It sends events upstream on the channel's I/O thread, and completes every future once.
 *
 * <p>For readers of the code, the classes by subject:
 *
 * <ul>
 *   <li>backlog: {@code AccountedChannel} counts what waits to be sent, and {@code WriteAccount} is the access to the count; {@code
 *       Handover} is the part that travels with a message; {@code MemoryBudget} is the limit of the process, {@code Holders} are
 *       the channels with a large backlog, and {@code Backlogs} is a snapshot of them;
 *   <li>pipelines: {@code DefaultChannelPipeline} on {@code OwningContextList} and {@code ContextList}; {@code
 *       DefaultChannelHandlerContext} passes an event on; {@code UnattachedSink} is the sink until there is a channel;
 *   <li>handlers: {@code UpstreamMethods} and {@code DownstreamMethods} choose the method for an event; {@code HandlerOwnership},
 *       {@code OwnableHandler} and {@code Sharability} decide which pipelines a handler can be in; {@code MessageTreatment}
 *       says whether it can borrow reads; {@code LifeCycle} and {@code Failures} deal with its exceptions; {@code CheckedCalls} uses
 *       {@code internal.race} to find handlers used by two threads;
 *   <li>futures: {@code DefaultChannelFuture}, {@code ListenerCalls}, {@code CompletableView}, and {@code UnobservedFailures}, which
 *       counts failures without a listener;
 *   <li>per-channel values: {@code LocalKey} and {@code WeakChannelMap}, used by {@code ChannelLocal};
 *   <li>scopes: {@code ChannelScopes};
 *   <li>options: {@code CommonOptions} and {@code ChannelDefaults}, used by {@code DefaultChannelConfig}.
 * </ul>
 */
package org.freshet.channel;
