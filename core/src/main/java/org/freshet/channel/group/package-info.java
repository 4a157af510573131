/**
 * Sets of channels: broadcast to all that are open, close all at once. Start at {@link
 * org.freshet.channel.group.ChannelGroup}.
 */
package org.freshet.channel.group;
