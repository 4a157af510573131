package org.freshet.handler.ssl;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;

/** Records that carry nothing of the application's: of a handshake, an answer that the protocol wants, a farewell. */
final class ProtocolEvent extends DownstreamMessageEvent {
    ProtocolEvent(Channel channel, ChannelBuffer records) {
        super(channel, Channels.future(channel), records, null);
    }
}
