package org.freshet.handler.codec.spdy;

import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;

/**
 * A frame written by a handler above the session in response to the peer. The session limits how many of these the peer leaves
 * unread.
 */
final class PeerCausedWrite extends DownstreamMessageEvent {
    PeerCausedWrite(Channel channel, SpdyStreamFrame frame) {
        super(channel, Channels.future(channel), frame, channel.getRemoteAddress());
    }
}
