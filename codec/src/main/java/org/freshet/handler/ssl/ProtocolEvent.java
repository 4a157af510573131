package org.freshet.handler.ssl;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;

/** Records without application data: a handshake flight, an answer that the protocol demands, or an alert. */
final class ProtocolEvent extends DownstreamMessageEvent {
    ProtocolEvent(Channel channel, ChannelBuffer records) {
        super(channel, Channels.future(channel), records, null);
    }
}
