package org.freshet.channel.socket.nio;

import org.freshet.channel.socket.DatagramChannelConfig;

/** The settings of a UDP channel of the NIO transport. */
public interface NioDatagramChannelConfig extends DatagramChannelConfig, NioChannelConfig {}
