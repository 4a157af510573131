/**
 * Classes for writing, shared by the transports. An {@code OutgoingMessage} is one write until its future completes. {@code WaterMarks} and
 * {@code WriteBound} are the settings for the backlog, and {@code WaterMarkedConfig} is the config of a channel without a socket.
 * {@code StallTimer} and {@code WriteStall} detect a peer that takes nothing. {@code HoldsWrites} and {@code DownstreamOrder} are for
 * handlers: one sends its writes together, the other passes them on in order.
 *
 * <p>Only the channel's {@link org.freshet.channel.WriteAccount} counts how many bytes wait.
 */
package org.freshet.internal.write;
