/**
 * What the transports share for writing. An {@code OutgoingMessage} is one write until its future completes. {@code WaterMarks} and
 * {@code WriteBound} are the settings of what may wait, and {@code WaterMarkedConfig} is the config of a channel without a socket. {@code
 * StallTimer} and {@code WriteStall} notice a peer that takes nothing. {@code HoldsWrites} and {@code DownstreamOrder} are for handlers:
 * one sends its writes together, the other passes them on in order.
 *
 * <p>How many bytes wait is counted by the channel's {@link org.freshet.channel.WriteAccount} alone.
 */
package org.freshet.internal.write;
