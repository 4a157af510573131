package org.freshet.handler.codec.spdy;

import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;

/**
 * A frame that a handler above the session writes because of what the peer has sent. The session bounds how many the peer leaves unread.
 */
final class PeerCausedWrite extends DownstreamMessageEvent {
    PeerCausedWrite(Channel channel, SpdyStreamFrame frame) {
        super(channel, Channels.future(channel), frame, channel.getRemoteAddress());
    }
}
