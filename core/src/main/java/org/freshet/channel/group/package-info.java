/**
 * Sets of channels: broadcast to all open channels, or close them all in one call. Start at {@link org.freshet.channel.group.ChannelGroup}.
 */
package org.freshet.channel.group;
