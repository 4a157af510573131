package org.freshet.handler.ssl;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;

/** Records without the application's data: of a handshake, an answer that the protocol demands, an alert. */
final class ProtocolEvent extends DownstreamMessageEvent {
    ProtocolEvent(Channel channel, ChannelBuffer records) {
        super(channel, Channels.future(channel), records, null);
    }
}
